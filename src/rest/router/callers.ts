// Whom the doors of REST answer.

/** The developer API. Guests read the demo organization. */
export const developers = ['api_key', 'session', 'user_header', 'guest'] as const
/** The session API, in its order. */
export const apps = ['session', 'services_token', 'user_header', 'guest'] as const
/** What only backends may do. */
export const services = ['services_token'] as const
