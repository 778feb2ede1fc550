import RecordsWire

@testable import ServerKit
@testable import TestKit

/// Rules of WCAG 2.2 AA that a browser can check on the page that it shows.
enum AccessibilityAudit {
    /// The problems of the page: one line each, with the element.
    static func problems(of browser: Browser) async throws -> [String] {
        try await browser.run(colours + rules + "return problems;").elements.compactMap(\.text)
    }

    /// The focused element in words, and the contrast of its focus ring with the ground around it.
    static func focus(of browser: Browser) async throws -> (label: String, id: String, ring: Double) {
        let found = try await browser.run(
            colours + """
                const e = document.activeElement, style = getComputedStyle(e);
                const isRing = style.outlineStyle != 'none' && parseFloat(style.outlineWidth) >= 2;
                return {
                  label: e.ariaLabel || (e.labels && e.labels.length ? e.labels[0] : e).textContent.trim(),
                  id: e.id,
                  ring: isRing
                    ? String(contrast(rgba(style.outlineColor), ground(e.parentElement || e))) : '0'
                };
                """)
        return (
            found["label"].text ?? "", found["id"].text ?? "", Double(found["ring"].text ?? "") ?? 0
        )
    }

    /// Functions for the contrast of two colours. A canvas converts every notation of a colour.
    private static let colours = """
        const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
        const known = {};
        function rgba(text) {
          if (!known[text]) {
            canvas.clearRect(0, 0, 1, 1);
            canvas.fillStyle = text;
            canvas.fillRect(0, 0, 1, 1);
            const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
            known[text] = [r, g, b, a / 255];
          }
          return known[text];
        }
        function over(front, back) {
          return [0, 1, 2].map(i => front[i] * front[3] + back[i] * (1 - front[3])).concat(1);
        }
        function ground(element) {
          const layers = [];
          for (let e = element; e; e = e.parentElement) {
            layers.push(rgba(getComputedStyle(e).backgroundColor));
            if (layers[layers.length - 1][3] == 1) break;
          }
          return layers.reverse().reduce((back, front) => over(front, back), [255, 255, 255, 1]);
        }
        function luminance(colour) {
          const [r, g, b] = colour.map(c => c / 255)
            .map(c => c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4));
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        }
        function contrast(front, back) {
          const [a, b] = [luminance(over(front, back)), luminance(back)];
          return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        }

        """

    private static let rules = """
        const problems = [];
        const all = selector => [...document.querySelectorAll(selector)];
        function report(rule, element) {
          problems.push(rule + ': ' + element.outerHTML.replace(/\\s+/g, ' ').slice(0, 160));
        }
        const isShown = e => e.getClientRects().length > 0;

        // Structure.
        if (!document.documentElement.lang) problems.push('the page has no language');
        if (!document.title.trim()) problems.push('the page has no title');
        if (all('main').length != 1) problems.push('the page has ' + all('main').length + ' main parts');
        if (all('h1').length != 1) problems.push('the page has ' + all('h1').length + ' first headings');
        let level = 0;
        for (const e of all('h1,h2,h3,h4,h5,h6')) {
          const next = Number(e.tagName[1]);
          if (next > level + 1) report('a heading skips a level', e);
          if (!e.textContent.trim()) report('a heading is empty', e);
          level = next;
        }
        const labels = all('nav').map(e => e.ariaLabel);
        if (new Set(labels).size != labels.length || labels.includes(null)) {
          problems.push('the navigations cannot be told apart: ' + labels);
        }
        const ids = new Set();
        for (const e of all('[id]')) {
          if (ids.has(e.id)) report('the ID occurs twice', e);
          ids.add(e.id);
        }
        for (const e of all('ul')) {
          if ([...e.children].some(c => c.tagName != 'LI')) report('a list has other children', e);
        }
        for (const e of all('table')) {
          if (!e.querySelector('th')) report('a table has no heading', e);
        }
        for (const e of all('th')) if (!e.scope) report('a table heading has no scope', e);

        // Names.
        for (const e of all('input:not([type=hidden]),select,textarea')) {
          const name = e.ariaLabel || [...e.labels].map(l => l.textContent.trim()).join('');
          if (!name) report('an input has no name', e);
        }
        for (const e of all('a[href],button')) {
          if (!(e.ariaLabel || e.textContent.trim())) report('a link or button has no name', e);
        }
        for (const e of all('img')) if (e.alt == null) report('an image has no alternative', e);
        for (const e of all('svg')) {
          if (!e.ariaLabel && !e.querySelector('title')) report('a drawing has no name', e);
        }
        for (const e of all('label[for]')) {
          if (!document.getElementById(e.htmlFor)) report('a label belongs to nothing', e);
        }

        // Sizes. A link in a sentence may be smaller.
        for (const e of all('a[href],button,input:not([type=hidden]),select,textarea')) {
          if (!isShown(e)) continue;
          const box = e.getBoundingClientRect();
          const block = e.closest('p,li,td');
          const isInSentence = e.tagName == 'A' && getComputedStyle(e).display == 'inline' && block
            && block.textContent.trim().length > e.textContent.trim().length;
          if (!isInSentence && (box.width < 23.9 || box.height < 23.9)) {
            report('a target has ' + box.width + ' by ' + box.height + ' pixels', e);
          }
        }
        const surplus = document.documentElement.scrollWidth - window.innerWidth;
        if (surplus > 0) problems.push('the page is ' + surplus + ' pixels too wide');

        // Contrast.
        function check(element, colour, what) {
          const found = contrast(rgba(colour), ground(element));
          if (found < 4.5) report(what + ' has a contrast of ' + found.toFixed(2), element);
        }
        const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
          const e = texts.currentNode.parentElement;
          if (!texts.currentNode.data.trim() || !isShown(e) || e.closest('select,datalist,title')) continue;
          const style = getComputedStyle(e);
          check(e, e instanceof SVGElement ? style.fill : style.color, 'a text');
        }
        for (const e of all('input:not([type=hidden]):enabled,select:enabled,textarea:enabled')) {
          check(e, getComputedStyle(e).color, 'an input');
          if (e.placeholder) check(e, getComputedStyle(e, '::placeholder').color, 'a placeholder');
        }

        """
}
