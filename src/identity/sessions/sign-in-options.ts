// The ways to sign in to this server, for sign-in pages.

import type { Context } from '../../kernel/context.ts'

export interface SignInOptions {
  password: boolean
  magicLink: boolean
  google: boolean
  /** The outside identity provider; null with the embedded one. */
  issuer: string | null
  signUp: 'open' | 'invited' | 'closed'
  mail: boolean
}

export function signInOptions({ services: { config } }: Context): SignInOptions {
  const isEmbedded = config.IDENTITY_ISSUER === undefined
  return {
    password: isEmbedded,
    magicLink: isEmbedded && config.MAIL_LINKS,
    google: isEmbedded && config.GOOGLE_CLIENT_ID !== undefined,
    issuer: config.IDENTITY_ISSUER ?? null,
    signUp: config.SIGN_UP,
    mail: config.SMTP_URL !== undefined,
  }
}

/** Whether there is a demo organization for guests. */
export const hasDemo = async ({ db }: Context): Promise<boolean> =>
  (await db.prisma.organization.findFirst({ where: { isDemo: true }, select: { id: true } })) !== null
