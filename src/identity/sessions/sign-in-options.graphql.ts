// The ways to sign in, in the schema.

import { builder } from '../../graphql/schema/builder.ts'
import { hasDemo, type SignInOptions, signInOptions } from './sign-in-options.ts'

const SignUpPolicy = builder.enumType('SignUpPolicy', {
  description: 'Policy of the sign-up.',
  values: {
    OPEN: { value: 'open', description: 'Everybody.' },
    INVITED: { value: 'invited', description: 'Holders of an invitation.' },
    CLOSED: { value: 'closed', description: 'Holders of an address from the operator.' },
  } as const,
})

const SignInOptionsType = builder.objectRef<SignInOptions>('SignInOptions').implement({
  description: 'Ways to sign in at this server.',
  fields: t => ({
    password: t.exposeBoolean('password', { description: 'Email address and password: `/idp/sign-in/email`.' }),
    magicLink: t.exposeBoolean('magicLink', { description: 'A link by mail, also for a new password: `/idp/sign-in/magic-link`.' }),
    google: t.exposeBoolean('google', { description: 'Google: `/idp/sign-in/social`.' }),
    issuer: t.exposeString('issuer', {
      nullable: true,
      description: "The outside identity provider whose token `POST /api/auth/session` takes; null with the server's own.",
    }),
    signUp: t.expose('signUp', { type: SignUpPolicy, description: 'Policy of the sign-up.' }),
    guest: t.boolean({
      description: 'Whether guests may look at a demo organization, with X-Guest-ID.',
      resolve: (_options, _args, context) => hasDemo(context),
    }),
    mail: t.exposeBoolean('mail', {
      description:
        'Whether the server sends mail; otherwise its operator finds the links in the log. With `magicLink`, too, a new account works once its address is verified.',
    }),
  }),
})

builder.queryField('signInOptions', t =>
  t.field({
    type: SignInOptionsType,
    description: 'The ways to sign in and up, for callers without a credential, too.',
    authScopes: { public: true },
    resolve: (_parent, _args, context) => signInOptions(context),
  }),
)
