import Hummingbird
import RecordsWire

extension ServerRequest {
    /// Answers the call of the endpoint. Throws the errors of a call, except those of the pages for people,
    /// which are answered by a page too.
    func answer() async throws -> Response {
        switch endpoint {
        case .limits: try await answer(ReadServerFacts.self)
        case .live: try await answer(CheckLiveness.self)
        case .ready: try await answer(CheckReadiness.self)
        case .metrics: metrics()
        case .operator(let endpoint): try await answer(endpoint.call)
        case .development(let endpoint): try await answer(endpoint.call)
        case .push(.poll): try await pushPoll()
        case .push(.stream): try await pushStream()
        case .push(.leave): try await pushLeave()
        case .signIn(.page): await SignInPageHandler(incoming: self).show()
        case .signIn(.form): await SignInPageHandler(incoming: self).submit()
        case .signIn(.token): try await answer(SignInWithPassword.self)
        case .signIn(.webToken): try await answer(FetchWebToken.self)
        case .signIn(.end): try await answer(EndSession.self)
        case .signIn(.code): try await answer(RequestAddressCode.self)
        case .signIn(.confirm): try await answer(ConfirmAddress.self)
        case .share(.page): await SharePageHandler(incoming: self).show()
        case .share(.form): await SharePageHandler(incoming: self).submit()
        }
    }
}

extension OperatorEndpoint {
    fileprivate var call: any ServedCall.Type {
        switch self {
        case .listContainers: ListContainers.self
        case .createContainer: CreateContainer.self
        case .readContainer: ReadContainer.self
        case .listCreators: ListCreators.self
        case .setContainerFallback: SetContainerFallback.self
        case .deleteContainer: DeleteContainer.self
        case .listTokens: ListTokens.self
        case .createToken: CreateToken.self
        case .revokeToken: RevokeToken.self
        case .listKeys: ListKeys.self
        case .registerKey: RegisterKey.self
        case .revokeKey: RevokeKey.self
        case .listPeople: ListPeople.self
        case .addPerson: AddPerson.self
        case .readPerson: ReadPerson.self
        case .setPersonStatus: SetPersonStatus.self
        case .setPersonQuota: SetPersonQuota.self
        case .setPersonPassword: SetPersonPassword.self
        case .signOutPerson: SignOutPerson.self
        case .deletePerson: DeletePerson.self
        case .readSchema: ReadSchema.self
        case .importSchema: ImportSchema.self
        case .validateSchema: ValidateSchema.self
        case .compareSchema: CompareSchema.self
        case .deploySchema: DeploySchema.self
        case .resetSchema: ResetSchema.self
        case .setIndex: SetIndex.self
        case .countPart: CountPart.self
        case .deletePart: DeletePart.self
        case .setGrant: SetGrant.self
        case .checkSchema: CheckSchema.self
        case .listRoles: ListRoles.self
        case .createRole: CreateRole.self
        case .grantRole: GrantRole.self
        case .revokeRole: RevokeRole.self
        case .listOperators: ListOperators.self
        case .setOperator: SetOperator.self
        case .removeOperator: RemoveOperator.self
        case .makeConsoleLink: MakeConsoleLink.self
        case .readAudit: ReadAudit.self
        case .readRequests: ReadRequests.self
        case .readTelemetry: ReadTelemetry.self
        }
    }
}

extension DevelopmentEndpoint {
    fileprivate var call: any ServedCall.Type {
        switch self {
        case .signIn: SignInByName.self
        case .listFaults: ListFaults.self
        case .changeFaults: ChangeFaults.self
        case .explainAccess: ExplainAccess.self
        case .removeZones: RemoveZones.self
        case .describeAccount: DescribeAccount.self
        case .setRate: SetRate.self
        case .readTypes: ReadTypes.self
        case .readStorage: ReadStorage.self
        case .readPushTrace: ReadPushTrace.self
        }
    }
}
