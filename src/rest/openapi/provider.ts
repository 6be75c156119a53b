// The embedded identity provider in the OpenAPI document: sign-up, sign-in, sign-out, and links sent by email.

import type { JsonSchema } from '../../graphql/execute/json-schema.ts'
import { type Components, ref } from './answer-schema.ts'
import { doorExamples as examples } from './door-examples.ts'
import { answers, bearer, type Failures, failing, json, object, parameter, responsesOf, text } from './doors.ts'

export const providerSession = bearer(
  "The identity provider's session: the `token` that signing up or in answers with. Good at `/idp` alone.",
)

// Must equal the provider's limit; a test compares them.
const minPasswordLength = 10

/** Returns the paths, and adds the schemas that they use to the components. */
export function providerPaths(schemas: Components): Record<string, Record<string, JsonSchema>> {
  schemas.ProviderError = {
    title: 'ProviderError',
    ...object({ message: text('The error as a sentence.'), code: text('The same, for programs: `INVALID_EMAIL_OR_PASSWORD`, ...') }),
    additionalProperties: true,
  }
  schemas.ProviderUser = {
    title: 'ProviderUser',
    ...object({
      id: text('The id of the user, as `user_id` elsewhere.'),
      email: text('Where links are mailed to.', { format: 'email' }),
      emailVerified: { type: 'boolean', description: 'Whether a link that was mailed there has been opened.' },
      name: text('The name.'),
      image: { type: ['string', 'null'], description: 'The address of a picture.' },
      createdAt: text('When the user signed up.', { format: 'date-time' }),
      updatedAt: text('When the user last changed.', { format: 'date-time' }),
    }),
  }
  const token = text("The provider's session. Send it as `Authorization: Bearer` to `/idp/token`.")
  const email = text('The email address.', { format: 'email', maxLength: 255 })
  const password = (description: string) => text(description, { minLength: minPasswordLength, maxLength: 128 })
  const redirectTo = text('A page of yours that the link leads to.')
  const failures = failing('Provider', providerFailures)
  const maybeSignedIn = object({ token: { ...token, type: ['string', 'null'] }, user: ref('ProviderUser') })
  const done = object({ status: { type: 'boolean', description: 'Whether it is done.' } })

  const operation = (
    operationId: string,
    [summary, description]: [string, string],
    { body, answer, example, status = 'Done.', isSignedIn = false }: Provided,
  ) => {
    const name = body && `${operationId[0]?.toUpperCase()}${operationId.slice(1)}Body`
    if (name && body) schemas[name] = { title: name, ...body.schema }
    return {
      operationId,
      summary,
      description,
      tags: ['Signing in'],
      security: isSignedIn ? [{ provider_session: [] }] : [],
      parameters: [parameter('XRequestId')],
      ...(name && body && { requestBody: { required: true, content: json(ref(name), body.example) } }),
      responses: { 200: answers(status, answer, example), ...failures },
    }
  }

  return {
    '/idp/sign-up/email': {
      post: operation(
        'signUp',
        [
          'Sign up by password',
          'Makes a user. The setting `SIGN_UP` says who may sign up. Where the server sends mail, `token` is null and a link is mailed that verifies the address and signs in; an address that is taken is answered the same, and its owner is told by mail. Elsewhere it signs in, and an address that is taken is 422.',
        ],
        {
          body: {
            schema: object({ email, password: password('The password.'), name: text('The name.', { maxLength: 200 }) }),
            example: examples.signUp,
          },
          answer: maybeSignedIn,
          example: examples.signedUp,
        },
      ),
    },
    '/idp/sign-in/email': {
      post: operation('signIn', ['Sign in by password', 'After 20 wrong passwords for one account it takes none for up to 15 minutes.'], {
        body: { schema: object({ email, password: text('The password.', { maxLength: 128 }) }), example: examples.signIn },
        answer: object({
          redirect: { type: 'boolean', description: 'False: there is nowhere to go on to.' },
          token,
          user: ref('ProviderUser'),
        }),
        example: { redirect: false, ...examples.signedUp },
      }),
    },
    '/idp/token': {
      get: operation('getToken', ['Get a token', 'A JWT, good for five minutes, that `POST /api/auth/session` exchanges for a session.'], {
        answer: object({ token: text('The JWT.') }),
        example: { token: examples.jwt },
        isSignedIn: true,
      }),
    },
    '/idp/sign-in/magic-link': {
      post: operation(
        'sendMagicLink',
        [
          'Have a link mailed that signs in',
          'The link is mailed, or printed in the log while no mail is set up. The answer is the same for an address that nobody has.',
        ],
        {
          body: {
            schema: object({ email, name: text('For somebody new.', { maxLength: 200 }), callbackURL: redirectTo }, ['email']),
            example: { email: 'ada@example.com' },
          },
          answer: done,
          example: { status: true },
        },
      ),
    },
    '/idp/send-verification-email': {
      post: operation('sendVerification', ['Have a link mailed that verifies the address', 'Sent at sign-up too; good for a day.'], {
        body: { schema: object({ email, callbackURL: redirectTo }, ['email']), example: { email: 'ada@example.com' } },
        answer: done,
        example: { status: true },
      }),
    },
    '/idp/request-password-reset': {
      post: operation(
        'requestPasswordReset',
        [
          'Have a link mailed that resets the password',
          'Good once, within an hour. The answer is the same for an address that nobody has.',
        ],
        {
          body: { schema: object({ email, redirectTo }, ['email']), example: { email: 'ada@example.com' } },
          answer: object({ status: { type: 'boolean' }, message: text('The next step.') }),
          example: { status: true, message: 'If this email exists in our system, check your email for the reset link' },
        },
      ),
    },
    '/idp/reset-password': {
      post: operation('resetPassword', ['Choose a new password', 'With the token of the link. Everything that was signed in ends.'], {
        body: {
          schema: object({ token: text("The link's token."), newPassword: password('The new password.') }),
          example: { token: 'he892PqmmGvG20F7Sk5cezBs', newPassword: 'a longer horse battery' },
        },
        answer: done,
        example: { status: true },
      }),
    },
    '/idp/change-password': {
      post: operation(
        'changePassword',
        ['Change the password', 'With `revokeOtherSessions` everything else that was signed in ends, and the answer has a new session.'],
        {
          body: {
            schema: object(
              {
                currentPassword: text('The password until now.', { maxLength: 128 }),
                newPassword: password('The new password.'),
                revokeOtherSessions: { type: 'boolean', description: 'Whether the other sessions end.' },
              },
              ['currentPassword', 'newPassword'],
            ),
            example: { currentPassword: 'correct horse battery', newPassword: 'a longer horse battery', revokeOtherSessions: true },
          },
          answer: maybeSignedIn,
          example: examples.signedUp,
          isSignedIn: true,
        },
      ),
    },
    '/idp/revoke-other-sessions': {
      post: operation('revokeOtherSessions', ['Sign out everywhere else', 'Ends all other sessions of the user, here and at the API.'], {
        answer: done,
        example: { status: true },
        isSignedIn: true,
      }),
    },
    '/idp/revoke-sessions': {
      post: operation('revokeSessions', ['Sign out everywhere', 'Ends all sessions of the user, this one too.'], {
        answer: done,
        example: { status: true },
        isSignedIn: true,
      }),
    },
    '/idp/sign-out': {
      post: operation('signOut', ['Sign out', 'Ends the session, and those at the API that were opened from it.'], {
        answer: object({ success: { type: 'boolean', description: 'Whether it has ended.' } }),
        example: { success: true },
        isSignedIn: true,
      }),
    },
  }
}

interface Provided {
  body?: { schema: JsonSchema; example: unknown }
  answer: JsonSchema
  example: unknown
  status?: string
  /** Whether the operation requires the provider's session. */
  isSignedIn?: boolean
}

const providerFailures: Failures = {
  400: ['[body.email] Invalid email address', 'VALIDATION_ERROR'],
  401: ['Invalid email or password', 'INVALID_EMAIL_OR_PASSWORD'],
  403: ['Signing up is closed here', 'SIGN_UP_CLOSED'],
  413: ['The body must not be larger than 65,536 bytes', 'PAYLOAD_TOO_LARGE'],
  415: ['The body must be application/json', 'UNSUPPORTED_MEDIA_TYPE'],
  422: ['User already exists. Use another email.', 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL'],
  429: ['Too many requests. Please try again later.', 'TOO_MANY_REQUESTS'],
  503: ['The database is away', 'UNAVAILABLE'],
}

export const providerResponses = responsesOf('Provider', providerFailures, (message, code) => json(ref('ProviderError'), { message, code }))
