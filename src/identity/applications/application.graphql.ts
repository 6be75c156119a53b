// GraphQL: signing in to desktop applications and to devices without a browser.

import { builder } from '../../graphql/schema/builder.ts'
import { CreatedSessionType } from '../sessions/session.graphql.ts'
import { type Device, decideDevice, findDevice, type StartedDevice, startDevice } from './device.ts'
import { openSession } from './exchange.ts'
import { type Authorized, authorizeApplication, type CheckedRequest, checkRequest } from './request.ts'

const RequestType = builder.objectRef<CheckedRequest>('ApplicationRequest').implement({
  description: 'An application that asks for a sign-in, in a way that can be answered.',
  fields: t => ({
    clientName: t.exposeString('clientName', { description: 'The name it gives itself. Nobody has checked it.' }),
    redirectsTo: t.exposeString('redirectsTo', {
      description: 'Where the answer goes, as people read it: `127.0.0.1:4010`, `com.example.app:`.',
    }),
  }),
})

const AuthorizedType = builder.objectRef<Authorized>('ApplicationCode').implement({
  description: 'A code for an application, good once.',
  fields: t => ({
    code: t.exposeString('code', {
      description: 'The code to exchange at `POST /api/auth/session`. Shown once.',
      extensions: { isSecret: true },
    }),
    redirectTo: t.exposeString('redirectTo', {
      description: 'The address to go to now: its own, with `code` and `state`.',
      extensions: { isSecret: true },
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When it ends, 60 seconds later.' }),
  }),
})

const DeviceStatus = builder.enumType('DeviceAuthorizationStatus', {
  description: 'Whether a device may sign in.',
  values: {
    PENDING: { value: 'pending', description: 'Nobody has decided.' },
    APPROVED: { value: 'approved', description: 'It opens its session with its next request.' },
    DENIED: { value: 'denied', description: 'It was refused.' },
  } as const,
})

const DeviceType = builder.objectRef<Device>('DeviceAuthorization').implement({
  description: 'A device that waits for its user.',
  fields: t => ({
    userCode: t.exposeString('userCode', { description: 'The code that it shows.' }),
    clientName: t.exposeString('clientName', { description: 'The name that its application gives itself. Nobody has checked it.' }),
    ipAddress: t.exposeString('ipAddress', { nullable: true, description: 'The network address that it asked from.' }),
    userAgent: t.exposeString('userAgent', {
      nullable: true,
      description: 'The User-Agent that it asked with. Nobody has checked that.',
    }),
    status: t.expose('status', { type: DeviceStatus, description: 'Whether it may sign in.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Since when it waits.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Until when it waits.' }),
  }),
})

const StartedType = builder.objectRef<StartedDevice>('StartedDeviceAuthorization').implement({
  description: 'The codes with which a device signs its user in.',
  fields: t => ({
    deviceCode: t.exposeString('deviceCode', {
      description: 'The code to exchange at `POST /api/auth/session` once the user has agreed. For the device alone.',
      extensions: { isSecret: true },
    }),
    userCode: t.exposeString('userCode', { description: 'The code that the user types, such as `WDJB-MJHT`.' }),
    verificationUri: t.exposeString('verificationUri', { description: 'Where.' }),
    verificationUriComplete: t.exposeString('verificationUriComplete', { description: 'The same with the code, to be opened.' }),
    expiresIn: t.exposeInt('expiresIn', { description: 'For how many seconds.' }),
    interval: t.exposeInt('interval', { description: 'How many seconds to wait between two requests.' }),
  }),
})

const requestFields = {
  redirectUri: 'A loopback address with any port, or one with a scheme that the operator has registered (`APP_SCHEMES`).',
  codeChallenge: 'PKCE: the SHA-256 of its verifier, in base64url.',
  clientName: 'Its name, 1 to 100 characters.',
  state: 'Comes back as it is, at most 1000 characters.',
}

const AuthorizeInput = builder.inputType('AuthorizeApplicationInput', {
  description: 'An application that the user agrees to.',
  fields: t => ({
    redirectUri: t.string({ required: true, description: requestFields.redirectUri }),
    codeChallenge: t.string({ required: true, description: requestFields.codeChallenge }),
    codeChallengeMethod: t.string({ description: 'S256, which is the default.' }),
    clientName: t.string({ required: true, description: requestFields.clientName }),
    state: t.string({ description: requestFields.state }),
  }),
})

const StartDeviceInput = builder.inputType('StartDeviceAuthorizationInput', {
  description: 'A device that asks for a sign-in.',
  fields: t => ({ clientName: t.string({ required: true, description: requestFields.clientName }) }),
})

const DecideInput = builder.inputType('DecideDeviceInput', {
  description: 'A device to decide about.',
  fields: t => ({
    userCode: t.string({ required: true, description: 'The code that it shows, in any case, with or without the hyphen.' }),
  }),
})

const OpenSessionInput = builder.inputType('OpenSessionInput', {
  description: 'The codes to exchange for a session: `code`, `codeVerifier` and `redirectUri`, or `deviceCode`.',
  fields: t => ({
    code: t.string({ description: 'The code of an application.' }),
    codeVerifier: t.string({ description: 'PKCE: what its challenge was made of, 43 to 128 characters.' }),
    redirectUri: t.string({ description: 'The address that the code was sent to.' }),
    deviceCode: t.string({ description: 'The code of a device.' }),
  }),
})

builder.queryFields(t => ({
  applicationRequest: t.field({
    type: RequestType,
    description: 'Checks the request of an application before anybody agrees to it. INVALID names everything that is wrong.',
    authScopes: { public: true },
    args: {
      redirectUri: t.arg.string({ required: true, description: requestFields.redirectUri }),
      codeChallenge: t.arg.string({ required: true, description: requestFields.codeChallenge }),
      codeChallengeMethod: t.arg.string({ description: 'S256, which is the default.' }),
      clientName: t.arg.string({ required: true, description: requestFields.clientName }),
      state: t.arg.string({ description: requestFields.state }),
    },
    resolve: (_parent, args, context) => checkRequest(context, args),
  }),
  deviceAuthorization: t.field({
    type: DeviceType,
    nullable: true,
    description: 'The device that shows a code; null with NOT_FOUND. RATE_LIMITED after 20 codes in 15 minutes.',
    authScopes: { signedIn: true },
    args: { userCode: t.arg.string({ required: true, description: 'The code, in any case, with or without the hyphen.' }) },
    resolve: (_parent, { userCode }, context) => findDevice(context, userCode),
  }),
}))

builder.mutationFields(t => ({
  authorizeApplication: t.field({
    type: AuthorizedType,
    description:
      'Makes a code with which an application opens a session of the user. The session ends with the sign-in of the one that asks.',
    authScopes: { signedIn: true },
    effect: { undoneBy: 'revokeSession, once the application has opened it', cannotBeTried: 'its code opens a session' },
    args: { input: t.arg({ type: AuthorizeInput, required: true, description: 'The application.' }) },
    resolve: (_parent, { input }, context) => authorizeApplication(context, input),
  }),
  approveDevice: t.field({
    type: DeviceType,
    description:
      'Lets a device open a session of the user. The session ends with the sign-in of the one that asks. CONFLICT once it is decided.',
    authScopes: { signedIn: true },
    effect: { undoneBy: 'revokeSession, once the device has opened it', cannotBeTried: 'its failed attempts are counted' },
    args: { input: t.arg({ type: DecideInput, required: true, description: 'The device.' }) },
    resolve: (_parent, { input }, context) => decideDevice(context, input.userCode, 'approved'),
  }),
  denyDevice: t.field({
    type: DeviceType,
    description: 'Refuses a device. CONFLICT once it is decided.',
    authScopes: { signedIn: true },
    effect: { overwrites: true, cannotBeTried: 'its failed attempts are counted' },
    args: { input: t.arg({ type: DecideInput, required: true, description: 'The device.' }) },
    resolve: (_parent, { input }, context) => decideDevice(context, input.userCode, 'denied'),
  }),
  startDeviceAuthorization: t.field({
    type: StartedType,
    description: 'Begins the sign-in of a device (RFC 8628): `POST /api/auth/device`.',
    authScopes: { public: true },
    effect: { cannotBeTried: 'its code opens a session' },
    args: { input: t.arg({ type: StartDeviceInput, required: true, description: 'The device.' }) },
    resolve: (_parent, { input }, context) => startDevice(context, input),
  }),
  openSession: t.field({
    type: CreatedSessionType,
    description:
      'Exchanges the code of an application or of a device for a session, once: `POST /api/auth/session` without a credential. A code that comes a second time also revokes what the first got.',
    authScopes: { public: true },
    effect: { undoneBy: 'endSession', cannotBeTried: 'what it refuses is written too' },
    args: { input: t.arg({ type: OpenSessionInput, required: true, description: 'The code.' }) },
    resolve: (_parent, { input }, context) => openSession(context, input),
  }),
}))
