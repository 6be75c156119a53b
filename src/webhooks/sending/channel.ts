// The channel that tells the workers of new endpoints and deliveries.

export const webhookChannel = 'rolocom_webhooks'
/** The payload of a notification about deliveries that a rule has added: the worker makes the first of each entity due. */
export const added = 'added'
