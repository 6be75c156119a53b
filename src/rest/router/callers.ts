// The kinds of credentials that each REST API accepts.

/** The developer API. Guests read the demo organization. */
export const developers = ['api_key', 'session', 'user_header', 'guest'] as const
/** The session API, in order of priority. */
export const apps = ['session', 'services_token', 'user_header', 'guest'] as const
/** Operations for backends only. */
export const services = ['services_token'] as const
