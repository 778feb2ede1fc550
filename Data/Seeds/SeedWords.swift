/// The words that `SeedGenerator` picks from. The order matters: moving a word changes every generated party.
enum SeedWords {
    static let moods = [
        "Midnight", "Velvet", "Rooftop", "Accidental", "Grand", "Backyard", "Unbirthday", "Slapstick",
        "Electric", "Secret", "Lakeside", "Tipsy", "Golden", "Barefoot", "Sunrise", "Upside-Down",
        "Masked", "Polka-Dot", "Whispering", "Thundering", "Cosmic", "Pocket-Size", "Royal", "Muddy",
        "Silent", "Clumsy", "Sparkling", "Vintage", "Wobbly", "Candlelit", "Tropical", "Snowed-In",
        "Runaway", "Marvellous", "Underwater", "Paper", "Seven-Hour", "Impromptu", "Glow-in-the-Dark",
        "Bashful", "Honking", "Feathered", "Sugar-Free", "Legendary", "Neighbourly", "Two-Headed",
        "Sock-Footed", "Annual", "First Ever", "Last-Minute", "Gigantic", "Tiny", "Dizzy", "Sleepless",
        "Open-Air", "Improbable", "Très Chic", "Naïve", "Über", "Jubilant", "Lopsided", "Starlit",
        "Rain-or-Shine", "Well-Known",
    ]

    static let themes = [
        "Balloon", "Custard Pie", "Unicycle", "Juggling", "Red Nose", "Piñata", "Confetti",
        "Trampoline", "Rubber Chicken", "Stilt", "Magic Hat", "Kazoo", "Bubble", "Seltzer", "Bow Tie",
        "Big Shoe", "Coffee", "Pancake", "Dumpling", "Jalapeño", "Crème Brûlée", "Taco", "Lemonade",
        "Cotton Candy", "Accordion", "Ukulele", "Karaoke", "Samba", "Disco", "Polka", "Brass Band",
        "Hula Hoop", "Kite", "Roller Skate", "Croquet", "Puppet", "Mime", "Shadow Play", "Origami",
        "Paper Crane", "Moonwalk", "Treasure Hunt", "Robot", "Dinosaur", "Pirate", "Penguin", "Llama",
        "Goldfish", "Board Game", "Crossword", "Swift Code", "Record Store", "Beta Test",
        "Retrospective", "Launch", "Cloud",
    ]

    static let occasions = [
        "Party", "Gala", "Parade", "Picnic", "Brunch", "Soirée", "Fête", "Festival", "Carnival",
        "Cabaret", "Bash", "Ball", "Jamboree", "Matinée", "Meetup", "Reunion", "Housewarming",
        "Birthday", "Quinceañera", "Anniversary", "Circus", "Tea", "Supper", "Sleepover", "Rehearsal",
        "Derby", "Social", "Farewell", "Welcome", "Hootenanny",
    ]

    static let emoji = ["🎈", "🎉", "🎪", "🤡", "🥳", "🎂", "🪅", "🤹‍♀️", "🎷", "🏳️‍🌈", "🍰", "👨‍👩‍👧‍👦"]

    static let venues = [
        "Rooftop", "Back garden", "Ballroom", "Corner café", "Town hall", "Bandstand",
        "Old fire station", "Loft 12", "Bowling alley", "Greenhouse", "Big top", "Library basement",
        "Courtyard", "Playground", "Theatre foyer", "Skating rink", "Tea house", "Community kitchen",
        "Art gallery", "Parking deck, level 3",
    ]

    static let openings = [
        "An afternoon of juggling for beginners and people who drop things.",
        "Live music until the neighbours join in.",
        "Forty balloons, four tables, no plan.",
        "We roll the piano outside and see what happens.",
        "A costume is welcome, a red nose is compulsory.",
        "The third attempt at the world's longest conga line.",
        "Cake first, speeches later, dancing throughout.",
        "Everybody teaches everybody one silly thing.",
        "A quiet one, with board games and far too many dumplings.",
        "The band has promised to learn a second song.",
        "Small talk is banned; big shoes are provided.",
        "Fireworks if the permit comes, sparklers if it does not.",
        "Une fête à l'ancienne, with waltzes and crêpes.",
        "Paul made a playlist. We apologise in advance.",
        "Come for the coffee, stay for the custard pies.",
        "Treasure hunt at noon, picnic when it is found.",
    ]

    static let promises = [
        "There will be a bouncy castle.",
        "Children and grandparents are the guests of honour.",
        "The clowns have been asked not to use the fountain.",
        "Vegetarian, vegan and clown-friendly food.",
        "Photos are taken at the door and shared with all.",
        "Free seltzer, dry towels for a small fee.",
        "A magician will saw the cake in half.",
        "Prizes for the best hat and the worst joke.",
        "Step-free entrance and a quiet room.",
        "The unicycle parade starts at half past.",
        "Karaoke until the microphone gives up.",
        "The goldfish is the only one who knows the way home.",
        "Dancing lessons for two left feet.",
        "Rain moves us under the big top.",
    ]

    static let requests = [
        "Bring a friend.",
        "Bring a blanket and something to share.",
        "Bring your own kazoo.",
        "RSVP so that we bake enough.",
        "Dress warmly.",
        "Please leave the geese alone.",
        "Wear socks that can be seen.",
        "Bring an umbrella, open or closed.",
        "No gifts, only stories.",
        "Ring twice and honk once.",
        "¡Nos vemos allí!",
        "Dogs are welcome, llamas by arrangement.",
    ]

    static let clownNames = [
        "Bozo", "Coco", "Pépé", "Grock", "Zippo", "Koko", "Bébé", "Emmett", "Oleg", "Pagliacci",
        "Annie", "Bello", "Zoë", "Chuckles", "Tilly", "Rodeo", "Loïc", "Søren", "Ñico", "Dimitri",
        "Lulu", "Otto", "Jörg", "Biscuit", "Peanut", "Squeaky", "Auguste", "Pierrot", "Colombine",
        "Trudi", "Fizz", "Blinky", "Åsa", "Rosalind", "Bip", "Popov", "Chocolat", "Nuñez", "Wiggles",
        "Dot", "Mischa", "Tumble", "Ferdinand", "Gigi", "Ozzy", "Pip",
    ]

    static let clownSurnames = [
        "the Great", "the Lesser", "von Honk", "Custard", "O'Noodle", "Bigfoot", "Balloni", "Müller",
        "Pinchnose", "Buttons", "Sánchez", "Trombone", "Polkadot", "Bubbles", "Dvořák", "Flopsy",
        "Jinglebell", "Crème", "McSlip", "Fratellini", "Nakamura", "Tickles", "Papadopoulos", "Wobble",
        "Kowalska", "Le Rouge", "de la Nariz", "Unicycle", "Seltzer", "Banana", "Ångström",
        "Two Left Feet", "Pom-Pom", "Whistle", "Carrotop",
    ]

    /// Names that test column widths, cursor movement and indexes: wide, combining and right-to-left
    /// characters.
    static let rareClowns = [
        "Bozo 🤡", "🎪 Coco", "ピエロ花子", "小丑阿福", "광대 미나", "مهرج سعيد", "ליצן עליז", "Клоун Олег",
        "Κλόουν Νίκος", "Stella 👩🏽‍🚀", "Los Tres 🤹🤹‍♀️🤹‍♂️", "René 🇨🇭", "Zoe\u{0308} the Combined",
    ]

    static let acts = [
        "Balloon animals", "Juggling five pies", "Unicycle ballet", "Silent film",
        "Rubber chicken opera", "Card tricks", "Stilt waltz", "Invisible box", "Seltzer duel",
        "Tiny car", "Kazoo concerto", "Plate spinning", "Tightrope, very low", "Bubble sculpture",
        "Face painting", "Slide whistle solo", "Numéro des chaises", "Flea circus", "Ladder routine",
        "Hat juggling", "Banjo and hiccups", "Handkerchief without end", "Mirror act", "Water flower",
        "Trombone chase", "Knitting on a trapeze",
    ]
}
