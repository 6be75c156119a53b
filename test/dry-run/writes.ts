// Every write of GraphQL and REST with arguments that it would succeed with, for the test that tries them all. Those of the usual nouns follow
// from test/support/nouns.ts.

import { v7 as uuid } from 'uuid'
import { type Json, serviceToken, type TestApp } from '../support/app.ts'
import { query } from '../support/database/database.ts'
import { createInput, updateInput, upsertInput } from '../support/noun-inputs.ts'
import { createDeleted, createdAt, createNouns, nouns } from '../support/nouns.ts'
import { bulkWrites, seedBulk } from './bulk.ts'
import { definitionRequests, definitionWrites, seedArchive, seedDefinitions } from './definitions.ts'
import { mergeRequests, mergeWrites, seedMerges } from './merges.ts'

export type Seeded = Awaited<ReturnType<typeof seed>>

/** One of each noun, in the state that its writes ask for. */
export async function seed(app: TestApp) {
  const { session, userId, orgId } = await app.given.session()
  const other = await app.given.session({ userId })
  const { key, id: keyId } = await app.given.apiKey({ orgId, userId })
  const post = async (path: string, body: Json, headers?: Record<string, string>) => {
    const answer = await app.rest('POST', path, { ...(headers ? { headers } : { key }), body })
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const ask = async (text: string) => {
    const { body } = await app.graphql(text, {}, { session })
    if (body.errors) throw new Error(JSON.stringify(body.errors))
    return body.data
  }
  const service = { 'x-svc-services-token': serviceToken }
  const { prisma } = app.services.database

  const grant = await post('/api/credits/grant', { user_id: userId, amount: 1000, reference: 'seed' }, service)
  const contact = await post('/api/crm/v1/contacts', { email: 'ada@example.com', phone: '+442079460123', tags: ['old', 'other'] })
  const deleted = await post('/api/crm/v1/contacts', { email: 'deleted@example.com' })
  await app.rest('DELETE', `/api/crm/v1/contacts/${deleted.id}`, { key })
  const agent = await post('/api/voice/v1/agents', { name: 'Active' })
  const paused = await post('/api/voice/v1/agents', { name: 'Paused' })
  await post(`/api/voice/v1/agents/${paused.id}/pause`, {})
  const later = { earliest_at: new Date(Date.now() + 86_400_000).toISOString() }
  const call = await post('/api/voice/v1/calls', { agent_id: agent.id, to_number: '+442079460123', schedule: later })
  const target = { host_app: 'rolocom', id: contact.id, kind: 'contact' }
  const queued = await post('/api/enrich/v1/jobs', { target, recipe: 'generic' })
  const failed = await post('/api/enrich/v1/jobs', { target, recipe: 'contact' })
  await query(
    app.database.url,
    `update enrichment_jobs set status = 'failed', error = 'x', finished_at = now() where id = '${failed.job_id}'`,
  )
  const suggestion = uuid()
  await prisma.suggestion.create({
    data: {
      ...{ id: suggestion, orgId, contactId: contact.id, hostApp: 'rolocom', targetKind: 'contact', targetId: contact.id, field: 'city' },
      ...{ valueType: 'text', proposedValue: 'Rome', confidence: 0.9, verification: 'probable', provider: 'http' },
      ...{ observedAt: new Date(), expiresAt: new Date(Date.now() + 86_400_000) },
    },
  })
  await ask('mutation { denyNumber(input: { phone: "+442079460999" }) { id } }')
  const definitions = await seedDefinitions(ask)
  const usual = await createNouns(post, contact.id, ({ name }) => `A ${name}`)
  const deletedRecords = await createDeleted(post, path => app.rest('DELETE', path, { key }))
  const merges = await seedMerges(post, ask)
  const { inviteMember } = await ask('mutation { inviteMember(input: { email: "new@example.com", role: MEMBER }) { id } }')
  await query(app.database.url, "update invitation_mails set sent_at = now() - interval '1 hour'")
  const member = await app.given.organization()
  await prisma.membership.create({ data: { userId: member.userId, organizationId: orgId, role: 'member' } })
  const { startAgentRun } = await ask('mutation { startAgentRun(input: { message: "Hello", deliver: false }) { runId } }')
  await query(
    app.database.url,
    `update gateway_runs set status = 'failed', error = 'x', finished_at = now() where id = '${startAgentRun.runId}'`,
  )
  const open = await ask('mutation { startAgentRun(input: { message: "Hello", deliver: false }) { runId } }')
  const bulk = await seedBulk(ask)
  const { dashboardWidgets } = await ask('{ dashboardWidgets { id kind } }')
  const widget = dashboardWidgets.find(({ kind }: Json) => kind === 'CONTACTS_OVER_TIME').id
  const keyed = `mutation { createWidgetKey(input: { widgetId: "${widget}", label: "Intranet" }) { widgetKey { id } } }`
  const { createWidgetKey } = await ask(keyed)
  const file = { method: 'POST', headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv' }, body: 'email\nrow@example.com\n' }
  const uploaded = (await (await fetch(`${app.url}/api/crm/v1/imports`, file)).json()) as Json
  const ended = uuid()
  await prisma.contactImport.create({
    data: {
      ...{ id: ended, orgId, byteCount: 6, encoding: 'utf_8', delimiter: 'comma', hasHeader: true, columns: [], status: 'completed' },
      ...{ createdByType: 'system', startedAt: new Date(), finishedAt: new Date() },
    },
  })
  const providerEvent = uuid()
  await prisma.providerEvent.create({
    data: {
      ...{ id: providerEvent, provider: 'simulator', eventKey: 'seed', orgId, callId: call.id, state: 'failed', receivedAt: new Date() },
      ...{ body: JSON.stringify({ call_id: call.id, status: 'ringing' }), path: '/', contentType: 'application/json' },
    },
  })
  // A file that no import has yet.
  const upload = uuid()
  const stored = { id: upload, orgId, byteCount: 6, isUtf8: true, hash: new Uint8Array(32), createdAt: new Date(), completedAt: new Date() }
  await prisma.upload.create({ data: stored })
  await query(app.database.url, `insert into upload_chunks (upload_id, position, bytes) values ('${upload}', 0, 'email\n')`)
  await seedArchive(app, orgId, upload)
  const draft = await post('/api/voice/v1/agents', { name: 'Draft', draft: true })
  // The last owner cannot leave.
  const owner = await app.given.organization()
  await prisma.membership.create({ data: { userId: owner.userId, organizationId: orgId, role: 'owner' } })
  const [offerToMe, offerToMember] = [uuid(), uuid()]
  const times = { createdAt: new Date(), expiresAt: new Date(Date.now() + 86_400_000) }
  await prisma.ownershipOffer.createMany({
    data: [
      { id: offerToMe, organizationId: orgId, userId, offeredById: owner.userId, isTransfer: false, ...times },
      { id: offerToMember, organizationId: orgId, userId: member.userId, offeredById: userId, isTransfer: false, ...times },
    ],
  })
  const { createWebhookEndpoint } = await ask(
    'mutation { createWebhookEndpoint(input: { url: "https://example.com" }) { endpoint { id } } }',
  )
  const webhook = createWebhookEndpoint.endpoint.id
  const delivery = uuid()
  await query(
    app.database.url,
    `insert into webhook_deliveries (id, org_id, endpoint_id, message_id, type, entity, entity_id, event, state, due_at)
     values ('${delivery}', '${orgId}', '${webhook}', '${uuid()}', 'contact.created', 'contact', 'a', '{}', 'failed', now())`,
  )
  const inboxItem = uuid()
  await query(
    app.database.url,
    `insert into inbox_items (id, org_id, user_id, kind, subject_type, subject_id, event_id, actor_type, created_at, updated_at, shown_at)
     select '${inboxItem}', '${orgId}', user_id, 'credits_low', 'credits', 'a', '${uuid()}', 'system', now(), now(), now()
     from unnest(array['${userId}']) as user_id`,
  )
  const { startConversation } = await ask(`mutation { startConversation(input: { voiceAgentId: "${agent.id}" }) { id } }`)
  const { sessions } = await ask('{ sessions { id isCurrent } }')

  return {
    ...{ session, userId, orgId, key, keyId, otherSession: other.session },
    ...{
      grant: grant.grant?.id ?? grant.grant_id ?? grant.id,
      contact: contact.id,
      inboxItem,
      deleted: deleted.id,
      agent: agent.id,
      paused: paused.id,
    },
    ...{
      call: call.id,
      conversation: startConversation.id,
      queued: queued.job_id,
      failed: failed.job_id,
      suggestion,
      ...definitions,
      ...usual,
      deletedRecords,
      ...merges,
      invitation: inviteMember.id,
      member: member.userId,
      offerToMe,
      offerToMember,
      bulk,
      widget,
      widgetKey: createWidgetKey.widgetKey.id,
      webhook,
      delivery,
      import: uploaded.id,
      ended,
      upload,
      providerEvent,
      draft: draft.id,
    },
    ...{ run: startAgentRun.runId, open: open.startAgentRun.runId, sessionId: sessions.find(({ isCurrent }: Json) => !isCurrent).id },
  }
}

export type Tried = [input: string, selection: string]

/** Its arguments (without `dryRun`) and selection; null for a mutation that cannot be tried. */
export const mutations = (ids: Seeded): Record<string, Tried | null> => ({
  ...Object.fromEntries(
    nouns.flatMap((noun): [string, Tried][] => [
      [`create${noun.name}`, [createInput(noun, ids.contact, 'Tried'), '{ id }']],
      [`update${noun.name}`, [updateInput(noun, ids[noun.id]), '{ id version }']],
      [`delete${noun.name}`, [`{ id: "${ids[noun.id]}" }`, '{ id }']],
      ...(noun.upsert
        ? ([
            [`restore${noun.name}`, [`{ id: "${ids.deletedRecords.get(noun.id)}" }`, '{ deletedAt }']],
            [`upsert${noun.name}`, [upsertInput(noun, 'Tried'), '{ outcome }']],
          ] satisfies [string, Tried][])
        : []),
    ]),
  ),
  ...bulkWrites(ids.bulk),
  acceptOwnership: [`{ id: "${ids.offerToMe}" }`, '{ role }'],
  confirmApiKey: [`{ id: "${ids.keyId}" }`, '{ isConfirmed }'],
  declineOwnership: [`{ id: "${ids.offerToMe}" }`, '{ id }'],
  payForOrganization: ['', '{ id }'],
  withdrawOwnership: [`{ id: "${ids.offerToMember}" }`, '{ id }'],
  acceptSuggestion: [`{ id: "${ids.suggestion}" }`, '{ id status }'],
  addDashboardWidget: ['{ kind: ANSWER_RATE, position: 0 }', '{ id kind }'],
  adjustCredits: null,
  allowOAuthClient: null,
  approveDevice: null,
  authorizeApplication: null,
  denyDevice: null,
  disconnectClient: null,
  openSession: null,
  startDeviceAuthorization: null,
  allowNumber: ['{ phone: "+442079460999" }', '{ id }'],
  archiveVoiceAgent: [`{ id: "${ids.agent}" }`, '{ status }'],
  batchContacts: ['{ contacts: [{ email: "a@example.com" }, { email: "ada@example.com" }] }', '{ succeeded failed }'],
  createTasksInBulk: ['{ filter: {}, title: "Tried" }', '{ total }'],
  enrichContactsInBulk: ['{ filter: {} }', '{ total }'],
  cancelContactImport: [`{ id: "${ids.import}" }`, '{ status }'],
  changeMemberRole: [`{ userId: "${ids.member}", role: VIEWER }`, '{ __typename }'],
  cancelAgentRun: [`{ id: "${ids.open}" }`, '{ status }'],
  cancelCall: [`{ id: "${ids.call}" }`, '{ status }'],
  cancelEnrichmentJob: [`{ id: "${ids.queued}" }`, '{ status }'],
  claimOrganization: null,
  startConversation: [`{ voiceAgentId: "${ids.agent}" }`, '{ status }'],
  sayInConversation: [`{ conversationId: "${ids.conversation}", text: "Yes" }`, '{ status }'],
  endConversation: [`{ id: "${ids.conversation}" }`, '{ voiceAgentId }'],
  createVoiceAgent: ['{ name: "New" }', '{ id status }'],
  createApiKey: ['{ label: "CI" }', '{ apiKey { id } }'],
  createCall: [`{ voiceAgentId: "${ids.agent}", toNumber: "+442079460123" }`, '{ id dispatchState }'],
  createContact: ['{ email: "new@example.com" }', '{ id email timeline { nodes { type } } }'],
  createContactExport: ['{ columns: ["email"] }', '{ url fileName }'],
  createCompanyExport: ['{ columns: ["name"] }', '{ url fileName }'],
  createDealExport: ['{ columns: ["title"] }', '{ url fileName }'],
  createContactImport: [`{ uploadId: "${ids.upload}", fileName: "again.csv" }`, '{ encoding delimiter columns { name } }'],
  createContactImportReport: [`{ id: "${ids.import}" }`, '{ url fileName }'],
  updateContactImport: [`{ id: "${ids.import}", delimiter: SEMICOLON }`, '{ delimiter }'],
  startContactImport: [`{ id: "${ids.import}" }`, '{ status }'],
  undoContactImport: [`{ id: "${ids.ended}" }`, '{ undo { status } }'],
  createWebhookEndpoint: ['{ url: "https://example.com/tried" }', '{ endpoint { id } }'],
  updateWebhookEndpoint: [`{ id: "${ids.webhook}", isEnabled: false }`, '{ state }'],
  deleteWebhookEndpoint: [`{ id: "${ids.webhook}" }`, '{ id }'],
  rotateWebhookSecret: [`{ id: "${ids.webhook}" }`, '{ endpoint { previousSecretUntil } }'],
  testWebhookEndpoint: [`{ id: "${ids.webhook}" }`, '{ id }'],
  replayWebhookDelivery: [`{ id: "${ids.delivery}" }`, '{ state }'],
  replayWebhookDeliveries: [`{ endpointId: "${ids.webhook}", since: "2026-01-01T00:00:00Z" }`, '{ count }'],
  ...definitionWrites(ids),
  createWidgetKey: [`{ widgetId: "${ids.widget}", label: "Wiki" }`, '{ widgetKey { id } }'],
  moveDashboardWidget: [`{ id: "${ids.widget}", position: 3 }`, '{ id }'],
  removeDashboardWidget: [`{ id: "${ids.widget}" }`, '{ id }'],
  revokeWidgetKey: [`{ id: "${ids.widgetKey}" }`, '{ id }'],
  addSampleData: ['', '{ hasSampleData }'],
  // Without sample data it is refused: test/dashboard/sample-data.test.ts tries it.
  removeSampleData: null,
  setAssignmentRule: ['{ kind: NONE }', '{ kind }'],
  setEmbedOrigins: ['{ origins: ["https://intranet.example.com"] }', '{ embedOrigins }'],
  updateInboxItem: [`{ id: "${ids.inboxItem}", done: true }`, '{ id }'],
  finishInbox: ['{}', '{ finishedCount }'],
  updateInboxPreferences: ['{ digestHour: 9, mail: DAILY }', '{ digestHour }'],
  updatePreferences: ['{ colorScheme: DARK }', '{ colorScheme }'],
  updateProfile: ['{ name: "Renamed" }', '{ name }'],
  updateDashboardWidget: [`{ id: "${ids.widget}", rangeDays: 90 }`, '{ rangeDays }'],
  createOrganization: ['{ name: "New" }', '{ id }'],
  createSession: null,
  decideSuggestions: ['{ decision: ACCEPT, rule: { field: "city" } }', '{ succeeded }'],
  deductCredits: null,
  deleteContact: [`{ id: "${ids.contact}" }`, '{ deletedAt }'],
  denyNumber: ['{ phone: "+442079460888" }', '{ id }'],
  endSession: ['', '{ id }'],
  enqueueEnrichment: [`{ target: { hostApp: "hubspot", id: "1", kind: "contact" } }`, '{ id status }'],
  enqueueEnrichments: [`{ jobs: [{ target: { hostApp: "hubspot", id: "2", kind: "contact" } }] }`, '{ succeeded }'],
  grantCredits: null,
  inviteToOrganization: ['{ role: MEMBER }', '{ role }'],
  inviteMember: ['{ email: "other@example.com", role: MEMBER }', '{ id }'],
  leaveOrganization: [`{ id: "${ids.orgId}" }`, '{ id }'],
  logNote: [`{ contactId: "${ids.contact}", text: "Tried" }`, '{ id }'],
  ...mergeWrites(ids),
  mergeTags: ['{ names: ["old"], into: "new" }', '{ name }'],
  pauseVoiceAgent: [`{ id: "${ids.agent}" }`, '{ status }'],
  provisionVoiceAgent: [`{ id: "${ids.draft}" }`, '{ status }'],
  continueCall: null,
  recordProviderEvent: null,
  rejectSuggestion: [`{ id: "${ids.suggestion}" }`, '{ status }'],
  removeMember: [`{ userId: "${ids.member}" }`, '{ __typename }'],
  renameOrganization: ['{ name: "Renamed" }', '{ name }'],
  renameTag: ['{ name: "old", to: "newer" }', '{ name }'],
  replayProviderEvent: [`{ id: "${ids.providerEvent}" }`, '{ state }'],
  restoreContact: [`{ id: "${ids.deleted}" }`, '{ deletedAt }'],
  resumeVoiceAgent: [`{ id: "${ids.paused}" }`, '{ status }'],
  resendInvitation: [`{ id: "${ids.invitation}" }`, '{ id }'],
  retryAgentRun: [`{ id: "${ids.run}" }`, '{ status }'],
  retryEnrichmentJob: [`{ id: "${ids.failed}" }`, '{ status }'],
  revealSigningSecret: [`{ id: "${ids.agent}" }`, '{ secrets }'],
  revokeApiKey: [`{ id: "${ids.keyId}" }`, '{ id }'],
  revokeAllSessions: ['', '{ id }'],
  revokeInvitation: [`{ id: "${ids.invitation}" }`, '{ id }'],
  revokeOtherSessions: ['', '{ id }'],
  revokeSession: [`{ id: "${ids.sessionId}" }`, '{ id }'],
  rotateApiKey: [`{ id: "${ids.keyId}" }`, '{ apiKey { id } }'],
  rotateSigningSecret: [`{ id: "${ids.agent}" }`, '{ __typename }'],
  startAgentRun: ['{ message: "Hello" }', '{ runId }'],
  updateVoiceAgent: [`{ id: "${ids.agent}", name: "Renamed" }`, '{ name version }'],
  switchOrganization: [`{ id: "${ids.orgId}" }`, '{ id }'],
  transferOwnership: [`{ userId: "${ids.member}" }`, '{ id }'],
  updateContact: [`{ id: "${ids.contact}", firstName: "Ada" }`, '{ firstName version }'],
  updateVoiceSettings: ['{ concurrency: 2 }', '{ concurrency }'],
  upsertContact: ['{ email: "ada@example.com", firstName: "Ada" }', '{ outcome }'],
  voidCreditGrant: null,
  wake: ['{ text: "Hello", mode: NOW }', '{ eventId outcome }'],
})

interface Request {
  body?: Json
  service?: boolean
  session?: boolean
  file?: string
}

/** By method and path of the route: what it is asked with; null for a write that cannot be tried. */
export const routeRequests = (ids: Seeded): Record<string, Request | null> => {
  const target = { host_app: 'hubspot', id: '3', kind: 'contact' }
  return {
    ...Object.fromEntries(
      nouns.flatMap((noun): [string, Request][] => [
        [`POST ${createdAt(noun, '{contact_id}')}`, { body: noun.body('Tried') }],
        [`POST ${noun.path}`, { body: { ...(noun.isOfContact && { contact_id: ids.contact }), ...noun.body('Tried') } }],
        [`PATCH ${noun.path}/{${noun.id}_id}`, { body: noun.change }],
        [`DELETE ${noun.path}/{${noun.id}_id}`, {}],
        ...(noun.upsert
          ? ([
              [`POST ${noun.path}/{${noun.id}_id}/restore`, {}],
              [`PUT ${noun.path}`, { body: noun.upsert('Tried') }],
            ] satisfies [string, Request][])
          : []),
      ]),
    ),
    ...definitionRequests(ids),
    'POST /api/crm/v1/contacts': { body: { email: 'rest@example.com' } },
    'PUT /api/crm/v1/contacts': { body: { email: 'ada@example.com', first_name: 'Ada' } },
    'POST /api/crm/v1/contacts/batch': { body: { contacts: [{ email: 'b@example.com' }] } },
    'PATCH /api/crm/v1/inbox/{item_id}': { body: { done: true } },
    'POST /api/crm/v1/inbox/finish': {},
    'PATCH /api/crm/v1/inbox-preferences': { body: { digest_hour: 9 } },
    'PATCH /api/crm/v1/contacts/{contact_id}': { body: { first_name: 'Ada' } },
    'DELETE /api/crm/v1/contacts/{contact_id}': {},
    'POST /api/crm/v1/contacts/{contact_id}/restore': {},
    'POST /api/crm/v1/exports': { body: { columns: ['email'] } },
    'POST /api/crm/v1/companies/exports': { body: { columns: ['name'] } },
    'POST /api/crm/v1/deals/exports': { body: { columns: ['title'] } },
    'POST /api/crm/v1/imports': { file: 'E-Mail;Name\nnew@example.com;New\n' },
    'PATCH /api/crm/v1/imports/{import_id}': { body: { delimiter: 'semicolon' } },
    'POST /api/crm/v1/imports/{import_id}/preview': null,
    'POST /api/crm/v1/imports/{import_id}/check': null,
    'POST /api/crm/v1/imports/{import_id}/undo': {},
    'POST /api/crm/v1/imports/{import_id}/start': {},
    'POST /api/crm/v1/imports/{import_id}/cancel': {},
    'POST /api/crm/v1/imports/{import_id}/report': {},
    ...mergeRequests(ids),
    'POST /api/crm/v1/tags/merge': { body: { names: ['old'], into: 'new' } },
    'POST /api/crm/v1/tags/rename': { body: { name: 'old', to: 'newer' } },
    'POST /api/voice/v1/calls': { body: { agent_id: ids.agent, to_number: '+442079460123' } },
    'POST /api/voice/v1/calls/{call_id}/cancel': {},
    'POST /api/voice/v1/providers/{provider}/next': null,
    'POST /api/voice/v1/conversations': { body: { agent_id: ids.agent } },
    'POST /api/voice/v1/conversations/{conversation_id}/turns': { body: { text: 'Yes' } },
    'POST /api/voice/v1/conversations/{conversation_id}/end': {},
    'POST /api/voice/v1/agents': { body: { name: 'New' } },
    'PATCH /api/voice/v1/agents/{agent_id}': { body: { name: 'Renamed' } },
    'POST /api/voice/v1/agents/{agent_id}/pause': {},
    'POST /api/voice/v1/agents/{agent_id}/resume': {},
    'POST /api/voice/v1/agents/{agent_id}/archive': {},
    'POST /api/voice/v1/agents/{agent_id}/provision': {},
    'POST /api/voice/v1/agents/{agent_id}/signing-secret': {},
    'POST /api/voice/v1/agents/{agent_id}/signing-secret/rotate': {},
    'POST /api/voice/v1/providers/{provider}/events': null,
    'POST /api/webhooks/v1/endpoints': { body: { url: 'https://example.com/tried' } },
    'PATCH /api/webhooks/v1/endpoints/{endpoint_id}': { body: { payload: 'thin' } },
    'DELETE /api/webhooks/v1/endpoints/{endpoint_id}': {},
    'POST /api/webhooks/v1/endpoints/{endpoint_id}/secret/rotate': {},
    'POST /api/webhooks/v1/endpoints/{endpoint_id}/test': {},
    'POST /api/webhooks/v1/endpoints/{endpoint_id}/replay': { body: { since: '2026-01-01T00:00:00Z' } },
    'POST /api/webhooks/v1/deliveries/{delivery_id}/replay': {},
    'POST /api/enrich/v1/jobs': { body: { target } },
    'POST /api/enrich/v1/jobs/batch': { body: { jobs: [{ target }] } },
    'POST /api/enrich/v1/jobs/{job_id}/cancel': {},
    'POST /api/enrich/v1/jobs/{job_id}/retry': {},
    'POST /api/enrich/v1/suggestions/bulk': { body: { decision: 'reject', rule: { field: 'city' } } },
    'POST /api/enrich/v1/suggestions/{suggestion_id}/accept': {},
    'POST /api/enrich/v1/suggestions/{suggestion_id}/reject': {},
    'POST /api/credits/deduct': { service: true, body: { user_id: ids.userId, amount: 1 } },
    'POST /api/credits/grant': { service: true, body: { user_id: ids.userId, amount: 1 } },
    'POST /api/credits/grants/{grant_id}/void': { service: true, body: {} },
    'POST /api/credits/adjust': { service: true, body: { user_id: ids.userId, amount: 1, reference: 'x' } },
    'POST /api/auth/device': null,
    'POST /api/auth/session': null,
    'DELETE /api/auth/session': {},
  }
}
