// The callers that each root field admits. A new root field gets a row here, those of a usual noun by its entry in test/support/nouns.ts.

import { type Role, scopes } from '../../../src/kernel/principal.ts'
import { createInput, updateInput, upsertInput } from '../../support/noun-inputs.ts'
import { nouns, oneOf, records, type UsualNoun } from '../../support/nouns.ts'
import { mergeRows } from './merge-principals.ts'

const id = '019a0000-0000-7000-8000-000000000000'

/**
 * `owner`, `admin`, `member` and `viewer` are sessions of the organization; `user header` is an owner of another one. There is a key for each
 * single scope; `key:*` is the default key, and `key of viewer` the same made by somebody who is now a viewer.
 */
type Caller = Role | 'nobody' | 'service' | 'key:*' | 'key of viewer' | 'user header' | 'guest' | `key:${(typeof scopes)[number]}`

const everyKey = ['key:*', ...scopes.map(scope => `key:${scope}` as const)] as const
const managers = ['owner', 'admin', 'user header'] as const
const workers = [...managers, 'member'] as const
const people = [...workers, 'viewer'] as const
// The user of the header is a member of an organization that is not the gateway's.
const ofTheGateway = ['owner', 'admin', 'member'] as const
const everybody = [...everyKey, 'key of viewer', ...people, 'guest'] as const
const readers = ['key:*', 'key of viewer', ...people, 'guest'] as const
const writers = ['key:*', ...workers] as const

// Callers that act for a member, whose inbox it is.
const owners = ['key:*', 'key of viewer', ...people, 'key:inbox:manage'] as const

type Row = [document: string, callers: readonly Caller[]]

/** The root fields of a noun. Callers that may read contacts may read it, and callers that may write contacts may write it. */
function rowsOf(noun: UsualNoun): [field: string, Row][] {
  const { name, list, isPersonal } = noun
  const mayRead = [...readers, 'key:contacts:read'] as const
  const mayWrite = [...writers, ...(isPersonal ? (['viewer'] as const) : []), 'key:contacts:write'] as const
  const one = oneOf(noun)
  return [
    [`Query.${one}`, [`{ ${one}(id: "${id}") { id } }`, mayRead]],
    ...(list ? [[`Query.${list}`, [`{ ${list} { nodes { id } } }`, mayRead]] satisfies [field: string, Row]] : []),
    [`Mutation.create${name}`, [`mutation { create${name}(input: ${createInput(noun, id, '')}) { id } }`, mayWrite]],
    [`Mutation.update${name}`, [`mutation { update${name}(input: ${updateInput(noun, id)}) { id } }`, mayWrite]],
    [`Mutation.delete${name}`, [`mutation { delete${name}(input: { id: "${id}" }) { id } }`, mayWrite]],
    ...(noun.upsert
      ? ([
          [`Mutation.restore${name}`, [`mutation { restore${name}(input: { id: "${id}" }) { id } }`, mayWrite]],
          [`Mutation.upsert${name}`, [`mutation { upsert${name}(input: ${upsertInput(noun, '')}) { outcome } }`, mayWrite]],
        ] satisfies [field: string, Row][])
      : []),
  ]
}

/** The root fields of the bulk changes of a record. */
function bulkRowsOf({ id: noun, name, names }: (typeof records)[number]): [field: string, Row][] {
  const mayRead = [...readers, 'key:contacts:read'] as const
  const mayWrite = [...writers, 'key:contacts:write'] as const
  return [
    [`Query.${noun}BulkChange`, [`{ ${noun}BulkChange(id: "${id}") { id } }`, mayRead]],
    [`Query.${noun}BulkChanges`, [`{ ${noun}BulkChanges { totalCount } }`, mayRead]],
    ...['cancel', 'undo'].map((verb): [string, Row] => {
      const mutation = `${verb}${name}BulkChange`
      return [`Mutation.${mutation}`, [`mutation { ${mutation}(input: { id: "${id}" }) { id } }`, mayWrite]]
    }),
    ...['update', 'delete', 'restore'].map((verb): [string, Row] => {
      const mutation = `${verb}${names}InBulk`
      return [`Mutation.${mutation}`, [`mutation { ${mutation}(input: {}) { id } }`, mayWrite]]
    }),
  ]
}

/** The document of each root field, and the callers that may execute it. All others are refused. */
export const matrix: Record<string, Row> = {
  ...Object.fromEntries(nouns.flatMap(rowsOf)),
  ...Object.fromEntries(records.flatMap(bulkRowsOf)),
  'Query.inbox': ['{ inbox { totalCount } }', owners],
  'Query.inboxCount': ['{ inboxCount }', owners],
  'Query.inboxItem': [`{ inboxItem(id: "${id}") { id } }`, owners],
  'Mutation.updateInboxItem': [`mutation { updateInboxItem(input: { id: "${id}", done: true }) { id } }`, owners],
  'Query.inboxPreferences': ['{ inboxPreferences { digestHour } }', owners],
  'Mutation.updateInboxPreferences': ['mutation { updateInboxPreferences(input: { digestHour: 9 }) { digestHour } }', owners],
  'Query.assignmentRule': ['{ assignmentRule { kind } }', [...readers, 'key:contacts:read']],
  'Mutation.setAssignmentRule': ['mutation { setAssignmentRule(input: { kind: NONE }) { kind } }', managers],
  'Mutation.finishInbox': ['mutation { finishInbox(input: {}) { finishedCount } }', owners],
  'Query.voiceAgent': [`{ voiceAgent(id: "${id}") { id } }`, [...readers, 'key:agents:read']],
  'Query.voiceAgents': ['{ voiceAgents { totalCount } }', [...readers, 'key:agents:read']],
  'Query.agentRun': [`{ agentRun(id: "${id}") { id } }`, people],
  'Query.agentDeliveries': ['{ agentDeliveries { totalCount } }', people],
  'Query.gatewayConfiguration': ['{ gatewayConfiguration { heartbeatMinutes } }', ofTheGateway],
  'Query.testHook': ['{ testHook(input: { name: "wake", payload: {} }) { status } }', ofTheGateway],
  'Query.hookPayloads': ['{ hookPayloads { nodes { id } } }', ofTheGateway],
  'Query.agentRuns': ['{ agentRuns { totalCount } }', people],
  'Query.agentSession': ['{ agentSession { id } }', people],
  'Query.agentSessions': ['{ agentSessions { totalCount } }', people],
  'Query.apiKeys': ['{ apiKeys { id } }', workers],
  'Query.call': [`{ call(id: "${id}") { id } }`, [...readers, 'key:calls:read']],
  'Query.conversation': [`{ conversation(id: "${id}") { id } }`, [...readers, 'key:calls:read']],
  'Query.calls': ['{ calls { totalCount } }', [...readers, 'key:calls:read']],
  'Query.contact': [`{ contact(id: "${id}") { id } }`, [...readers, 'key:contacts:read']],
  'Query.contacts': ['{ contacts { totalCount } }', [...readers, 'key:contacts:read']],
  'Query.creditBalance': ['{ creditBalance { balance } }', [...readers, 'key:credits:read']],
  'Query.creditTransactions': ['{ creditTransactions { totalCount } }', [...readers, 'key:credits:read']],
  'Mutation.moveDeal': [`mutation { moveDeal(input: { id: "${id}" }) { id } }`, [...writers, 'key:contacts:write']],
  'Query.dealBoard': [`{ dealBoard(pipelineId: "${id}") { count } }`, [...readers, 'key:contacts:read']],
  'Query.groupCompanies': ['{ groupCompanies(by: [{ field: INDUSTRY }]) { hasMore } }', [...readers, 'key:contacts:read']],
  'Query.groupDeals': ['{ groupDeals(by: [{ field: STATE }]) { hasMore } }', [...readers, 'key:contacts:read']],
  'Query.pipeline': [`{ pipeline(id: "${id}") { id } }`, [...readers, 'key:contacts:read']],
  'Query.pipelines': ['{ pipelines { id } }', [...readers, 'key:contacts:read']],
  'Mutation.createPipeline': ['mutation { createPipeline(input: { name: "" }) { id } }', managers],
  'Mutation.updatePipeline': [`mutation { updatePipeline(input: { id: "${id}" }) { id } }`, managers],
  'Mutation.deletePipeline': [`mutation { deletePipeline(input: { id: "${id}" }) { id } }`, managers],
  'Mutation.createStage': [`mutation { createStage(input: { pipelineId: "${id}", name: "" }) { id } }`, managers],
  'Mutation.updateStage': [`mutation { updateStage(input: { id: "${id}" }) { id } }`, managers],
  'Mutation.reorderStages': [`mutation { reorderStages(input: { pipelineId: "${id}", stageIds: [] }) { id } }`, managers],
  'Mutation.deleteStage': [`mutation { deleteStage(input: { id: "${id}" }) { id } }`, managers],
  'Query.dealSettings': ['{ dealSettings { lostReasons } }', [...readers, 'key:contacts:read']],
  'Mutation.updateDealSettings': ['mutation { updateDealSettings(input: {}) { lostReasons } }', managers],
  'Query.customFields': ['{ customFields { id } }', [...readers, 'key:contacts:read']],
  'Query.dashboard': ['{ dashboard { mode } }', [...people, 'guest']],
  'Query.dashboardWidgets': ['{ dashboardWidgets { id } }', [...people, 'guest']],
  'Query.dashboardWidget': [`{ dashboardWidget(id: "${id}") { id } }`, [...people, 'guest']],
  'Query.widgetKeys': ['{ widgetKeys { id } }', people],
  // Anyone with a key of the widget; test/dashboard/embed.test.ts tests the keys.
  'Query.embeddedWidget': [`{ embeddedWidget(id: "${id}", key: "") { id } }`, [...everybody, 'nobody', 'service']],
  'Mutation.addDashboardWidget': ['mutation { addDashboardWidget(input: { kind: RECENT_CONTACTS, rangeDays: 0 }) { id } }', people],
  'Mutation.updateDashboardWidget': [`mutation { updateDashboardWidget(input: { id: "${id}" }) { id } }`, people],
  'Mutation.moveDashboardWidget': [`mutation { moveDashboardWidget(input: { id: "${id}", position: 0 }) { id } }`, people],
  'Mutation.removeDashboardWidget': [`mutation { removeDashboardWidget(input: { id: "${id}" }) { id } }`, people],
  'Mutation.createWidgetKey': [`mutation { createWidgetKey(input: { widgetId: "${id}", label: "" }) { key } }`, workers],
  'Mutation.revokeWidgetKey': [`mutation { revokeWidgetKey(input: { id: "${id}" }) { id } }`, people],
  'Mutation.setOrganizationCountry': ['mutation { setOrganizationCountry(input: { country: "x" }) { id } }', managers],
  'Mutation.setOrganizationCurrency': ['mutation { setOrganizationCurrency(input: { currency: "x" }) { id } }', managers],
  'Mutation.setContactLinking': ['mutation { setContactLinking(input: { isOn: true }) { id } }', managers],
  'Mutation.addSampleData': ['mutation { addSampleData(dryRun: true) { id } }', managers],
  'Mutation.removeSampleData': ['mutation { removeSampleData { id } }', managers],
  'Mutation.setEmbedOrigins': ['mutation { setEmbedOrigins(input: { origins: ["x"] }) { id } }', managers],
  'Query.deniedNumbers': ['{ deniedNumbers { totalCount } }', [...readers, 'key:calls:read']],
  'Query.enrichmentJob': [`{ enrichmentJob(id: "${id}") { id } }`, [...readers, 'key:enrich:read']],
  'Query.enrichmentJobs': ['{ enrichmentJobs { totalCount } }', [...readers, 'key:enrich:read']],
  'Query.me': ['{ me { userId } }', everybody],
  'Query.organization': ['{ organization { id } }', everybody],
  'Query.recipes': ['{ recipes { totalCount } }', [...readers, 'key:enrich:read']],
  'Query.session': ['{ session { id } }', people],
  'Query.sessions': ['{ sessions { id } }', people],
  'Query.suggestion': [`{ suggestion(id: "${id}") { id } }`, [...readers, 'key:enrich:read']],
  'Query.suggestions': ['{ suggestions { totalCount } }', [...readers, 'key:enrich:read']],
  'Query.stats': ['{ stats { asOf } }', [...readers, 'key:stats:read']],
  'Query.waitingWork': ['{ waitingWork { isWorkerAlive } }', [...readers, 'key:calls:read']],
  'Query.voiceSettings': ['{ voiceSettings { concurrency } }', [...readers, 'key:calls:read']],

  'Mutation.allowNumber': ['mutation { allowNumber(input: { phone: "" }) { id } }', [...writers, 'key:calls:write']],
  'Mutation.archiveVoiceAgent': [`mutation { archiveVoiceAgent(input: { id: "${id}" }) { id } }`, [...writers, 'key:agents:write']],
  'Mutation.acceptSuggestion': [`mutation { acceptSuggestion(input: { id: "${id}" }) { id } }`, [...writers, 'key:enrich:write']],
  'Mutation.cancelEnrichmentJob': [`mutation { cancelEnrichmentJob(input: { id: "${id}" }) { id } }`, [...writers, 'key:enrich:write']],
  'Mutation.decideSuggestions': [
    'mutation { decideSuggestions(input: { decision: REJECT, rule: {} }) { failed } }',
    [...writers, 'key:enrich:write'],
  ],
  'Mutation.enqueueEnrichment': [
    'mutation { enqueueEnrichment(input: { target: { hostApp: "", id: "", kind: "" } }) { id } }',
    [...writers, 'key:enrich:write'],
  ],
  'Mutation.enqueueEnrichments': ['mutation { enqueueEnrichments(input: { jobs: [] }) { failed } }', [...writers, 'key:enrich:write']],
  'Mutation.rejectSuggestion': [`mutation { rejectSuggestion(input: { id: "${id}" }) { id } }`, [...writers, 'key:enrich:write']],
  'Mutation.retryEnrichmentJob': [`mutation { retryEnrichmentJob(input: { id: "${id}" }) { id } }`, [...writers, 'key:enrich:write']],
  'Query.groupCalls': ['{ groupCalls(by: []) { hasMore } }', [...readers, 'key:calls:read']],
  'Query.groupCreditTransactions': ['{ groupCreditTransactions(by: []) { hasMore } }', [...readers, 'key:credits:read']],
  'Query.groupSuggestions': ['{ groupSuggestions(by: []) { hasMore } }', [...readers, 'key:enrich:read']],
  'Query.groupContacts': ['{ groupContacts(by: []) { hasMore } }', [...readers, 'key:contacts:read']],
  // Each finds what it may read: test/entities/node.test.ts.
  'Query.operation': [`{ operation(id: "${id}") { id } }`, everybody],
  'Query.node': [`{ node(id: "${id}") { id } }`, everybody],
  'Query.nodes': [`{ nodes(ids: ["${id}"]) { id } }`, everybody],
  ...mergeRows([...readers, 'key:contacts:read'] as const, [...writers, 'key:contacts:write'] as const),
  // Each finds what it may read: test/entities/search.test.ts.
  'Query.search': ['{ search(query: "a") { nodes { entityId } } }', everybody],
  'Query.systemEvents': ['{ systemEvents { totalCount } }', people],

  'Mutation.batchContacts': ['mutation { batchContacts(input: { contacts: [] }) { succeeded } }', [...writers, 'key:contacts:write']],
  'Mutation.startConversation': [
    `mutation { startConversation(input: { voiceAgentId: "${id}" }) { id } }`,
    [...writers, 'key:calls:write'],
  ],
  'Mutation.sayInConversation': [
    `mutation { sayInConversation(input: { conversationId: "${id}", text: "a" }) { id } }`,
    [...writers, 'key:calls:write'],
  ],
  'Mutation.endConversation': [`mutation { endConversation(input: { id: "${id}" }) { id } }`, [...writers, 'key:calls:write']],
  'Mutation.cancelCall': [`mutation { cancelCall(input: { id: "${id}" }) { id } }`, [...writers, 'key:calls:write']],
  'Mutation.createVoiceAgent': ['mutation { createVoiceAgent(input: { name: "" }) { id } }', [...writers, 'key:agents:write']],
  'Mutation.claimOrganization': ['mutation { claimOrganization(input: { token: "" }) { id } }', people],
  'Mutation.inviteToOrganization': ['mutation { inviteToOrganization(input: {}) { role } }', managers],
  'Mutation.createApiKey': ['mutation { createApiKey(input: { label: "" }) { key } }', workers],
  'Mutation.createCall': ['mutation { createCall(input: { voiceAgentId: "", toNumber: "" }) { id } }', [...writers, 'key:calls:write']],
  'Mutation.createContact': ['mutation { createContact(input: { email: "x" }) { id } }', [...writers, 'key:contacts:write']],
  'Query.archive': ['{ archive { id } }', ['owner', 'user header']],
  'Mutation.createArchive': ['mutation { createArchive { id } }', ['owner', 'user header']],
  'Mutation.createArchiveDownload': ['mutation { createArchiveDownload { url } }', ['owner', 'user header']],
  'Mutation.createCompanyExport': [
    'mutation { createCompanyExport(input: { columns: [] }) { url } }',
    [...writers, 'viewer', 'key of viewer', 'key:contacts:read'],
  ],
  'Mutation.createDealExport': [
    'mutation { createDealExport(input: { columns: [] }) { url } }',
    [...writers, 'viewer', 'key of viewer', 'key:contacts:read'],
  ],
  'Mutation.createContactExport': [
    'mutation { createContactExport(input: { columns: [] }) { url } }',
    [...writers, 'viewer', 'key of viewer', 'key:contacts:read'],
  ],
  'Mutation.createTasksInBulk': ['mutation { createTasksInBulk(input: { title: "t" }) { id } }', [...writers, 'key:contacts:write']],
  // A key needs contacts:read as well.
  'Mutation.enrichContactsInBulk': ['mutation { enrichContactsInBulk(input: {}) { id } }', writers],
  'Mutation.moveDealsInBulk': [`mutation { moveDealsInBulk(input: { stageId: "${id}" }) { id } }`, [...writers, 'key:contacts:write']],
  'Query.contactImport': [`{ contactImport(id: "${id}") { id } }`, [...readers, 'key:contacts:read']],
  'Query.contactImportWarnings': [`{ contactImportWarnings(id: "${id}") { row } }`, [...readers, 'key:contacts:read']],
  'Query.contactImportRows': [`{ contactImportRows(id: "${id}") { row } }`, [...readers, 'key:contacts:read']],
  'Query.contactImports': ['{ contactImports { totalCount } }', [...readers, 'key:contacts:read']],
  'Query.checkContactImport': [`{ checkContactImport(id: "${id}") { checkedCount } }`, [...readers, 'key:contacts:read']],
  'Query.previewContactImport': [`{ previewContactImport(id: "${id}") { rows { row } } }`, [...readers, 'key:contacts:read']],
  'Mutation.cancelContactImport': [`mutation { cancelContactImport(input: { id: "${id}" }) { id } }`, [...writers, 'key:contacts:write']],
  'Mutation.createContactImport': [
    `mutation { createContactImport(input: { uploadId: "${id}" }) { id } }`,
    [...writers, 'key:contacts:write'],
  ],
  'Mutation.createContactImportReport': [
    `mutation { createContactImportReport(input: { id: "${id}" }) { url } }`,
    [...writers, 'viewer', 'key of viewer', 'key:contacts:read'],
  ],
  'Mutation.undoContactImport': [`mutation { undoContactImport(input: { id: "${id}" }) { id } }`, [...writers, 'key:contacts:write']],
  'Mutation.updateContactImport': [`mutation { updateContactImport(input: { id: "${id}" }) { id } }`, [...writers, 'key:contacts:write']],
  'Mutation.startContactImport': [`mutation { startContactImport(input: { id: "${id}" }) { id } }`, [...writers, 'key:contacts:write']],
  'Mutation.createCustomField': [
    'mutation { createCustomField(input: { key: "", label: "", type: TEXT }) { id } }',
    [...writers, 'key:contacts:write'],
  ],
  'Mutation.createOrganization': ['mutation { createOrganization(input: { name: "" }) { id } }', people],
  'Mutation.deleteContact': [`mutation { deleteContact(input: { id: "${id}" }) { id } }`, [...writers, 'key:contacts:write']],
  'Mutation.deleteCustomField': [`mutation { deleteCustomField(input: { id: "${id}" }) { id } }`, [...writers, 'key:contacts:write']],
  'Mutation.denyNumber': ['mutation { denyNumber(input: { phone: "" }) { id } }', [...writers, 'key:calls:write']],
  'Mutation.endSession': ['mutation { endSession { id } }', people],
  'Mutation.pauseVoiceAgent': [`mutation { pauseVoiceAgent(input: { id: "${id}" }) { id } }`, [...writers, 'key:agents:write']],
  'Mutation.provisionVoiceAgent': [`mutation { provisionVoiceAgent(input: { id: "${id}" }) { id } }`, [...writers, 'key:agents:write']],
  'Mutation.replayProviderEvent': [`mutation { replayProviderEvent(input: { id: "${id}" }) { id } }`, [...writers, 'key:calls:write']],
  'Mutation.resumeVoiceAgent': [`mutation { resumeVoiceAgent(input: { id: "${id}" }) { id } }`, [...writers, 'key:agents:write']],
  'Mutation.revealSigningSecret': [
    `mutation { revealSigningSecret(input: { id: "${id}" }) { secrets } }`,
    [...writers, 'key:agents:write'],
  ],
  'Mutation.logNote': [`mutation { logNote(input: { contactId: "${id}", text: "a" }) { id } }`, [...writers, 'key:contacts:write']],
  'Mutation.restoreContact': [`mutation { restoreContact(input: { id: "${id}" }) { id } }`, [...writers, 'key:contacts:write']],
  'Mutation.cancelAgentRun': [`mutation { cancelAgentRun(input: { id: "${id}" }) { id } }`, ofTheGateway],
  'Mutation.retryAgentRun': [`mutation { retryAgentRun(input: { id: "${id}" }) { id } }`, ofTheGateway],
  'Mutation.revokeApiKey': [`mutation { revokeApiKey(input: { id: "${id}" }) { id } }`, workers],
  // The header of the service token counts for nothing here.
  'Query.applicationRequest': [
    '{ applicationRequest(redirectUri: "", codeChallenge: "", clientName: "") { clientName } }',
    [...everybody, 'nobody', 'service'],
  ],
  'Query.oauthRequest': ['{ oauthRequest(clientId: "", redirectUri: "") { clientName } }', [...everybody, 'nobody', 'service']],
  'Query.connectedClients': ['{ connectedClients { id } }', people],
  'Mutation.allowOAuthClient': [
    'mutation { allowOAuthClient(input: { clientId: "", redirectUri: "", scopes: [] }) { redirectTo } }',
    people,
  ],
  'Mutation.disconnectClient': [`mutation { disconnectClient(input: { id: "${id}" }) { id } }`, people],
  'Query.deviceAuthorization': ['{ deviceAuthorization(userCode: "") { status } }', people],
  'Mutation.approveDevice': ['mutation { approveDevice(input: { userCode: "" }) { status } }', people],
  'Mutation.denyDevice': ['mutation { denyDevice(input: { userCode: "" }) { status } }', people],
  'Mutation.authorizeApplication': [
    'mutation { authorizeApplication(input: { redirectUri: "", codeChallenge: "", clientName: "" }) { code } }',
    people,
  ],
  'Mutation.openSession': [
    'mutation { openSession(input: { code: "x", deviceCode: "x" }) { userId } }',
    [...everyKey, 'key of viewer', ...people, 'nobody', 'service'],
  ],
  'Mutation.startDeviceAuthorization': [
    'mutation { startDeviceAuthorization(input: { clientName: "" }) { userCode } }',
    [...everyKey, 'key of viewer', ...people, 'nobody', 'service'],
  ],
  'Mutation.updateProfile': ['mutation { updateProfile(input: { name: "" }) { id } }', people],
  'Mutation.updatePreferences': ['mutation { updatePreferences(input: { timezone: "x" }) { timezone } }', people],
  'Query.signInOptions': ['{ signInOptions { signUp } }', [...everybody, 'nobody', 'service']],
  'Query.invitations': ['{ invitations { id } }', managers],
  'Mutation.inviteMember': ['mutation { inviteMember(input: { email: "" }) { id } }', managers],
  'Mutation.resendInvitation': [`mutation { resendInvitation(input: { id: "${id}" }) { id } }`, managers],
  'Mutation.revokeInvitation': [`mutation { revokeInvitation(input: { id: "${id}" }) { id } }`, managers],
  'Mutation.changeMemberRole': ['mutation { changeMemberRole(input: { userId: "x", role: VIEWER }) { id } }', managers],
  'Mutation.removeMember': ['mutation { removeMember(input: { userId: "x" }) { id } }', managers],
  'Mutation.renameOrganization': ['mutation { renameOrganization(input: { name: "" }) { id } }', managers],
  'Mutation.transferOwnership': ['mutation { transferOwnership(input: { userId: "x" }) { id } }', ['owner', 'user header']],
  'Mutation.acceptOwnership': [`mutation { acceptOwnership(input: { id: "${id}" }) { id } }`, people],
  'Mutation.declineOwnership': [`mutation { declineOwnership(input: { id: "${id}" }) { id } }`, people],
  'Mutation.withdrawOwnership': [`mutation { withdrawOwnership(input: { id: "${id}" }) { id } }`, ['owner', 'user header']],
  'Mutation.payForOrganization': ['mutation { payForOrganization { id } }', ['owner', 'user header']],
  'Mutation.confirmApiKey': [`mutation { confirmApiKey(input: { id: "${id}" }) { id } }`, ['owner', 'user header']],
  'Mutation.leaveOrganization': [`mutation { leaveOrganization(input: { id: "${id}" }) { id } }`, people],
  'Mutation.switchOrganization': [`mutation { switchOrganization(input: { id: "${id}" }) { id } }`, people],
  'Mutation.revokeAllSessions': ['mutation { revokeAllSessions { id } }', people],
  'Mutation.revokeOtherSessions': ['mutation { revokeOtherSessions { id } }', people],
  'Mutation.revokeSession': [`mutation { revokeSession(input: { id: "${id}" }) { id } }`, people],
  'Mutation.rotateApiKey': [`mutation { rotateApiKey(input: { id: "${id}" }) { key } }`, workers],
  'Mutation.rotateSigningSecret': [
    `mutation { rotateSigningSecret(input: { id: "${id}" }) { secrets } }`,
    [...writers, 'key:agents:write'],
  ],
  'Mutation.updateVoiceAgent': [`mutation { updateVoiceAgent(input: { id: "${id}" }) { id } }`, [...writers, 'key:agents:write']],
  'Mutation.startAgentRun': ['mutation { startAgentRun(input: { message: "" }) { runId } }', ofTheGateway],
  'Mutation.updateContact': [`mutation { updateContact(input: { id: "${id}" }) { id } }`, [...writers, 'key:contacts:write']],
  'Mutation.updateVoiceSettings': [
    'mutation { updateVoiceSettings(input: { concurrency: 0 }) { concurrency } }',
    [...writers, 'key:agents:write'],
  ],
  'Mutation.upsertContact': ['mutation { upsertContact(input: { email: "x" }) { outcome } }', [...writers, 'key:contacts:write']],
  'Mutation.wake': ['mutation { wake(input: { text: "" }) { eventId } }', ofTheGateway],

  'Query.tags': ['{ tags { totalCount } }', [...readers, 'key:contacts:read']],
  'Mutation.mergeTags': ['mutation { mergeTags(input: { names: [], into: "" }) { id } }', [...writers, 'key:contacts:write']],
  'Mutation.renameTag': ['mutation { renameTag(input: { name: "", to: "" }) { id } }', [...writers, 'key:contacts:write']],
  'Query.webhookEndpoint': [`{ webhookEndpoint(id: "${id}") { id } }`, [...writers, 'key:webhooks:manage']],
  'Query.webhookEndpoints': ['{ webhookEndpoints { totalCount } }', [...writers, 'key:webhooks:manage']],
  'Query.webhookEventTypes': ['{ webhookEventTypes { type } }', [...writers, 'key:webhooks:manage']],
  'Query.webhookDelivery': [`{ webhookDelivery(id: "${id}") { id } }`, [...writers, 'key:webhooks:manage']],
  'Query.webhookDeliveries': ['{ webhookDeliveries { totalCount } }', [...writers, 'key:webhooks:manage']],
  'Mutation.createWebhookEndpoint': [
    'mutation { createWebhookEndpoint(input: { url: "" }) { secret } }',
    [...writers, 'key:webhooks:manage'],
  ],
  'Mutation.updateWebhookEndpoint': [
    `mutation { updateWebhookEndpoint(input: { id: "${id}" }) { id } }`,
    [...writers, 'key:webhooks:manage'],
  ],
  'Mutation.deleteWebhookEndpoint': [
    `mutation { deleteWebhookEndpoint(input: { id: "${id}" }) { id } }`,
    [...writers, 'key:webhooks:manage'],
  ],
  'Mutation.rotateWebhookSecret': [
    `mutation { rotateWebhookSecret(input: { id: "${id}" }) { secret } }`,
    [...writers, 'key:webhooks:manage'],
  ],
  'Mutation.testWebhookEndpoint': [`mutation { testWebhookEndpoint(input: { id: "${id}" }) { id } }`, [...writers, 'key:webhooks:manage']],
  'Mutation.replayWebhookDelivery': [
    `mutation { replayWebhookDelivery(input: { id: "${id}" }) { id } }`,
    [...writers, 'key:webhooks:manage'],
  ],
  'Mutation.replayWebhookDeliveries': [
    `mutation { replayWebhookDeliveries(input: { endpointId: "${id}", since: "2026-01-01T00:00:00Z" }) { count } }`,
    [...writers, 'key:webhooks:manage'],
  ],

  'Subscription.callChanged': [`subscription { callChanged(callId: "${id}") { type } }`, [...readers, 'key:calls:read']],
  'Subscription.enrichmentJobChanged': [`subscription { enrichmentJobChanged(jobId: "${id}") { type } }`, [...readers, 'key:enrich:read']],
  'Subscription.suggestionChanged': [`subscription { suggestionChanged(contactId: "${id}") { type } }`, [...readers, 'key:enrich:read']],
  'Subscription.agentRunChanged': ['subscription { agentRunChanged { id } }', people],
  'Subscription.agentSessionChanged': ['subscription { agentSessionChanged { id } }', people],
  'Subscription.contactChanged': [`subscription { contactChanged(contactId: "${id}") { type } }`, [...readers, 'key:contacts:read']],
  // Each receives what it may read: test/entities/changes.test.ts.
  'Subscription.changes': ['subscription { changes { type } }', everybody],
  'Subscription.systemEventChanged': ['subscription { systemEventChanged { id } }', people],
}
