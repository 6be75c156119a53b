// Names in the cases of the doors: camelCase in GraphQL, snake_case in REST and in columns.

/** `existingId` -> `existing_id` */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** `first_name` -> `firstName` */
export const camelCase = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** `firstName` -> `first_name`. In `custom.<key>` the key is the organization's own and stays. */
export const wireName = (field: string): string => field.replace(/^[^.]+/, snakeCase)

/** The reverse of `wireName`. */
export const fieldNamed = (name: string): string => name.replace(/^[^.]+/, camelCase)

/** `contacts` -> `Contacts` */
export const capitalized = (name: string): string => name.replace(/^[a-z]/, letter => letter.toUpperCase())
