/// The operator's endpoints. GET reads; POST changes, with an object in the body.
package enum OperatorEndpoint: String, Hashable, Sendable, CaseIterable {
    case listContainers = "GET /operator/1/containers"
    case createContainer = "POST /operator/1/containers"
    case readContainer = "GET /operator/1/containers/:container"
    case deleteContainer = "POST /operator/1/containers/:container/delete"

    case listTokens = "GET /operator/1/containers/:container/tokens"
    case createToken = "POST /operator/1/containers/:container/:environment/tokens"
    case revokeToken = "POST /operator/1/tokens/:id/revoke"
    case listKeys = "GET /operator/1/containers/:container/keys"
    case registerKey = "POST /operator/1/containers/:container/:environment/keys"
    case revokeKey = "POST /operator/1/keys/:id/revoke"

    case listPeople = "GET /operator/1/people"
    case addPerson = "POST /operator/1/people"
    case readPerson = "GET /operator/1/people/:name"
    case setPersonStatus = "POST /operator/1/people/:name/status"
    case setPersonPassword = "POST /operator/1/people/:name/password"
    case signOutPerson = "POST /operator/1/people/:name/sign-out"
    case deletePerson = "POST /operator/1/people/:name/delete"

    case readSchema = "GET /operator/1/containers/:container/:environment/schema"
    case importSchema = "POST /operator/1/containers/:container/:environment/schema/import"
    case validateSchema = "POST /operator/1/containers/:container/:environment/schema/validate"
    case compareSchema = "POST /operator/1/containers/:container/:environment/schema/diff"
    case deploySchema = "POST /operator/1/containers/:container/:environment/schema/deploy"
    case resetSchema = "POST /operator/1/containers/:container/:environment/schema/reset"
    case setIndex = "POST /operator/1/containers/:container/:environment/schema/index"
    case countPart = "POST /operator/1/containers/:container/:environment/schema/count"
    case deletePart = "POST /operator/1/containers/:container/:environment/schema/delete"
    case setGrant = "POST /operator/1/containers/:container/:environment/schema/grant"
    case checkSchema = "POST /operator/1/containers/:container/:environment/schema/check"

    case listRoles = "GET /operator/1/containers/:container/:environment/roles"
    case createRole = "POST /operator/1/containers/:container/:environment/roles/create"
    case grantRole = "POST /operator/1/containers/:container/:environment/roles/grant"
    case revokeRole = "POST /operator/1/containers/:container/:environment/roles/revoke"
}
