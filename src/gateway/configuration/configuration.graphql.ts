// GraphQL: the gateway as it is configured, and what its hooks would do with a payload.

import type { HmacScheme, Mapping } from '../../config/gateway/mappings.ts'
import { builder } from '../../graphql/schema/builder.ts'
import { ScopeEnum } from '../../identity/keys/key.graphql.ts'
import { ChannelChoiceEnum, ThinkingLevelEnum } from '../runs/run.graphql.ts'
import { ChannelEnum } from '../sessions/session.graphql.ts'
import {
  agentsOf,
  aliasesOf,
  type Configuration,
  type ConfiguredChannel,
  channelsOf,
  conditionsOf,
  getConfiguration,
  headersOf,
  providersOf,
  testHook,
} from './configuration.ts'
import type { HookTest } from './hook-mappings.ts'

const ConfiguredAgentType = builder.objectRef<ReturnType<typeof agentsOf>[number]>('ConfiguredAgent').implement({
  description: 'An agent of the configuration.',
  fields: t => ({
    name: t.exposeString('name', { description: 'Its name, the `agentId` of runs.' }),
    isDefault: t.exposeBoolean('isDefault', { description: 'Whether runs without an `agentId` are its.' }),
    model: t.exposeString('model', { description: 'Its model, as `provider/model`.' }),
    thinking: t.expose('thinking', { type: ThinkingLevelEnum, nullable: true, description: 'How much it thinks.' }),
    instructions: t.exposeString('instructions', { nullable: true, description: 'Its prompt; null for the built-in sentence.' }),
  }),
})

const ModelAliasType = builder.objectRef<ReturnType<typeof aliasesOf>[number]>('ModelAlias').implement({
  description: 'A name for a model.',
  fields: t => ({
    alias: t.exposeString('alias', { description: 'The name.' }),
    model: t.exposeString('model', { description: 'The model, as `provider/model`.' }),
  }),
})

const ModelProtocolEnum = builder.enumType('ModelProtocol', {
  description: 'Protocol of a provider of models.',
  values: {
    ANTHROPIC: { value: 'anthropic', description: "Anthropic's Messages." },
    OPENAI: { value: 'openai', description: "OpenAI's Responses." },
    OPENAI_COMPATIBLE: { value: 'openai-compatible', description: 'Chat completions, as many servers speak them.' },
  } as const,
})

const ModelProviderType = builder.objectRef<ReturnType<typeof providersOf>[number]>('ModelProvider').implement({
  description: 'A provider of models.',
  fields: t => ({
    name: t.exposeString('name', { description: 'Its name, the first part of `provider/model`.' }),
    type: t.expose('type', { type: ModelProtocolEnum, description: 'Its protocol.' }),
    server: t.exposeString('server', { nullable: true, description: 'Its server; null for the one that is known for its type.' }),
  }),
})

const ConfiguredModelsType = builder.objectRef<Configuration>('ConfiguredModels').implement({
  description: 'The models that agents may use.',
  fields: t => ({
    default: t.string({ nullable: true, description: 'The default; null for the offline model.', resolve: ({ models }) => models.default }),
    allowed: t.stringList({ description: 'The only ones that may be used; empty: all.', resolve: ({ models }) => models.allow }),
    aliases: t.field({ type: [ModelAliasType], description: 'Names for models.', resolve: aliasesOf }),
    providers: t.field({ type: [ModelProviderType], description: 'Their providers.', resolve: providersOf }),
  }),
})

const ConfiguredChannelType = builder.objectRef<ConfiguredChannel>('ConfiguredChannel').implement({
  description: 'A channel that replies can be delivered to.',
  fields: t => ({
    channel: t.expose('channel', { type: ChannelEnum, description: 'The channel.' }),
    defaultTo: t.exposeString('defaultTo', { nullable: true, description: 'To whom, where a run does not say.' }),
    server: t.exposeString('server', { nullable: true, description: 'The server that it is reached through.' }),
  }),
})

const ActionEnum = builder.enumType('HookActionKind', {
  description: 'The action of a hook.',
  values: {
    WAKE: { value: 'wake', description: 'A system event for the main session.' },
    AGENT: { value: 'agent', description: 'A run.' },
  } as const,
})

const OpeningEnum = builder.enumType('HookAuthentication', {
  description: 'How the sender of a hook authenticates.',
  values: {
    HOOK_TOKEN: { value: 'hook_token', description: 'The token of all hooks.' },
    OWN_TOKEN: { value: 'own_token', description: 'A token of its own.' },
    SIGNATURE: { value: 'signature', description: 'A signature of its body.' },
  } as const,
})

const SignatureSchemeEnum = builder.enumType('SignatureScheme', {
  description: 'How a sender signs what it sends, with HMAC-SHA256.',
  values: {
    GITHUB: { value: 'github', description: 'As GitHub: the body, `sha256=` and the signature in hex.' },
    STRIPE: { value: 'stripe', description: 'As Stripe: time and body, and the time beside the signature.' },
    SLACK: { value: 'slack', description: 'As Slack: version, time and body, with the time in a header of its own.' },
    STANDARD_WEBHOOKS: { value: 'standard-webhooks', description: 'As Standard Webhooks: id, time and body.' },
    HEX: { value: 'hex', description: 'The body, the signature in hex.' },
    BASE64: { value: 'base64', description: 'The body, the signature in base64.' },
  } as const satisfies Record<string, { value: HmacScheme; description: string }>,
})

const HeaderConditionType = builder.objectRef<ReturnType<typeof headersOf>[number]>('HookHeaderCondition').implement({
  description: 'A header that a mapping asks for.',
  fields: t => ({
    name: t.exposeString('name', { description: 'Its name.' }),
    values: t.exposeStringList('values', { description: 'One of these; `[redacted]` where it may be a secret.' }),
  }),
})

const PayloadConditionType = builder.objectRef<ReturnType<typeof conditionsOf>[number]>('HookPayloadCondition').implement({
  description: 'A value of the payload that a mapping asks for.',
  fields: t => ({
    path: t.exposeString('path', { description: 'Where in the payload.' }),
    values: t.expose('values', { type: ['JSON'], nullable: { list: false, items: true }, description: 'One of these.' }),
  }),
})

const HookMappingType = builder.objectRef<Mapping>('HookMapping').implement({
  description: 'How requests of a sender become a system event or a run. The first mapping that matches takes a request.',
  fields: t => ({
    name: t.string({ description: 'Its name in the configuration, or the name of its preset.', resolve: ({ id }) => id }),
    path: t.string({ nullable: true, description: 'The name of its hook; null: any.', resolve: ({ match }) => match.path }),
    source: t.string({ nullable: true, description: 'The `source` of the payload; null: any.', resolve: ({ match }) => match.source }),
    headers: t.field({ type: [HeaderConditionType], description: 'Headers that it asks for.', resolve: headersOf }),
    where: t.field({ type: [PayloadConditionType], description: 'Values of the payload that it asks for.', resolve: conditionsOf }),
    authentication: t.field({
      type: OpeningEnum,
      description: 'How its senders authenticate.',
      resolve: ({ auth }) => (auth?.hmac ? 'signature' : auth?.token ? 'own_token' : 'hook_token'),
    }),
    signatureScheme: t.field({
      type: SignatureSchemeEnum,
      nullable: true,
      description: 'How they sign; null where they do not.',
      resolve: ({ auth }) => auth?.hmac?.scheme,
    }),
    action: t.expose('action', { type: ActionEnum, description: 'The action of a request.' }),
    template: t.string({
      nullable: true,
      description: 'The template of the text or message.',
      resolve: ({ textTemplate, messageTemplate }) => textTemplate ?? messageTemplate,
    }),
    runName: t.exposeString('name', { nullable: true, description: 'The template of the name of runs.' }),
    agent: t.exposeString('agentId', { nullable: true, description: 'The agent of runs; null: the default.' }),
    sessionKey: t.exposeString('sessionKey', { nullable: true, description: 'The template of the session key.' }),
    model: t.exposeString('model', { nullable: true, description: 'The template of the model.' }),
    thinking: t.expose('thinking', { type: ThinkingLevelEnum, nullable: true, description: 'How much to think.' }),
    timeoutSeconds: t.exposeFloat('timeoutSeconds', { nullable: true, description: 'Seconds that a run may take.' }),
    deliver: t.exposeBoolean('deliver', { nullable: true, description: 'Whether replies are delivered; null: yes.' }),
    channel: t.expose('channel', { type: ChannelChoiceEnum, nullable: true, description: 'Where to; null: LAST.' }),
    to: t.exposeString('to', { nullable: true, description: 'The template of the recipient.' }),
    forEach: t.exposeString('forEach', { nullable: true, description: 'The list in the payload whose elements become actions.' }),
    transform: t.string({
      nullable: true,
      description: 'The module and export that may change the action.',
      resolve: ({ transform }) => transform && `${transform.module}#${transform.export}`,
    }),
    idempotencyKey: t.exposeString('idempotencyKey', {
      nullable: true,
      description: 'The template of the key that identifies a repetition.',
    }),
    concurrency: t.exposeInt('concurrency', { description: 'Requests that a process handles at once.' }),
    scopes: t.expose('scopes', { type: [ScopeEnum], nullable: true, description: "The scopes of its runs; null: the hooks'." }),
    creditCeiling: t.exposeFloat('creditCeiling', { nullable: true, description: "Credits that its runs may cost; null: the hooks'." }),
  }),
})

const ConfiguredHooksType = builder.objectRef<Configuration>('ConfiguredHooks').implement({
  description: 'How events come in.',
  fields: t => ({
    isEnabled: t.exposeBoolean('takesHooks', { description: 'Whether hooks are accepted.' }),
    path: t.string({ description: 'Where they are served.', resolve: ({ hooks }) => hooks.path }),
    maxBodyBytes: t.int({
      description: 'The largest body, where a mapping does not say more.',
      resolve: ({ hooks }) => hooks.maxBodyBytes,
    }),
    scopes: t.field({ type: [ScopeEnum], description: 'The scopes of runs.', resolve: ({ hooks }) => hooks.scopes }),
    creditCeiling: t.float({ description: 'Credits that a run may cost.', resolve: ({ hooks }) => hooks.creditCeiling }),
    mappings: t.field({
      type: [HookMappingType],
      description: 'The enabled mappings in their order, presets last.',
      resolve: ({ hookMappings }) => [...hookMappings],
    }),
  }),
})

const ConfigurationType = builder.objectRef<Configuration>('GatewayConfiguration').implement({
  description: 'The gateway as it is configured, without credentials.',
  fields: t => ({
    agents: t.field({ type: [ConfiguredAgentType], description: 'The agents.', resolve: agentsOf }),
    models: t.field({ type: ConfiguredModelsType, description: 'The models.', resolve: configuration => configuration }),
    channels: t.field({ type: [ConfiguredChannelType], description: 'The channels.', resolve: channelsOf }),
    fallbackChannel: t.field({
      type: ChannelEnum,
      description: 'The channel that `last` means before the first delivery.',
      resolve: ({ lastChannelFallback }) => lastChannelFallback,
    }),
    hooks: t.field({ type: ConfiguredHooksType, description: 'The hooks.', resolve: configuration => configuration }),
    heartbeatMinutes: t.float({
      description: 'Minutes between heartbeats; 0: only on a wake.',
      resolve: ({ heartbeat }) => heartbeat.everyMinutes,
    }),
  }),
})

const HookActionType = builder.objectRef<HookTest['actions'][number]>('HookAction').implement({
  description: 'A wake or a run that a hook would make.',
  fields: t => ({
    kind: t.expose('kind', { type: ActionEnum, description: 'Which of them.' }),
    payload: t.expose('payload', { type: 'JSONObject', description: 'The payload for `/hooks/wake` or `/hooks/agent`.' }),
    idempotencyKey: t.exposeString('idempotencyKey', {
      nullable: true,
      description: 'The key that identifies a repetition, if the mapping has one.',
    }),
  }),
})

const HookTestType = builder.objectRef<HookTest>('HookTest').implement({
  description: 'The effect of a hook on a request.',
  fields: t => ({
    status: t.exposeInt('status', { description: 'The status that it would be answered with.' }),
    mapping: t.exposeString('mapping', { nullable: true, description: 'The mapping that would take it.' }),
    error: t.exposeString('error', { nullable: true, description: 'Why it would be refused.' }),
    actions: t.expose('actions', { type: [HookActionType], description: 'The wakes and runs that it would make; none for 204.' }),
  }),
})

const NamedValueInput = builder.inputType('NamedValueInput', {
  description: 'A header or a parameter of a query.',
  fields: t => ({
    name: t.string({ required: true, description: 'Its name.' }),
    value: t.string({ required: true, description: 'Its value.' }),
  }),
})

const TestHookInput = builder.inputType('TestHookInput', {
  description: "A sample of a sender's payload.",
  fields: t => ({
    name: t.string({ required: true, description: 'The name of the hook: the part of its address behind `/hooks/`.' }),
    payload: t.field({ type: 'JSON', required: true, description: 'The payload.' }),
    headers: t.field({ type: [NamedValueInput], description: 'Headers of the request.' }),
    query: t.field({ type: [NamedValueInput], description: 'Parameters of its query.' }),
  }),
})

builder.queryFields(t => ({
  gatewayConfiguration: t.field({
    type: ConfigurationType,
    description: 'The gateway as it is configured in the process that answers. FORBIDDEN in any organization but its own.',
    authScopes: { role: 'member' },
    resolve: (_root, _args, context) => getConfiguration(context),
  }),
  testHook: t.field({
    type: HookTestType,
    description: 'Tries a payload with a hook: which mapping takes it, and the result. Nothing happens.',
    authScopes: { role: 'member' },
    args: { input: t.arg({ type: TestHookInput, required: true, description: 'The sample.' }) },
    resolve: (_root, { input }, context) => testHook(context, input),
  }),
}))
