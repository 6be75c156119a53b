// The steps of making an agent, as its address names them.

export const templateIds = ['appointment-reminder', 'lead-qualification', 'renewal-check'] as const
export type TemplateId = (typeof templateIds)[number]

/** How far somebody is: nothing chosen, the empty form, or a template. */
export const steps = ['choose', 'scratch', ...templateIds] as const
export type NewAgentStep = (typeof steps)[number]
