// Ids: UUIDs as text.

import { v7 } from 'uuid'

const form = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const anyCase = new RegExp(`^${form}$`, 'i')
const lowerCase = new RegExp(`^${form}$`)

/** Whether a text is a UUID. Comparing any other text with a uuid column is an error in PostgreSQL. */
export const isId = (text: string): boolean => anyCase.test(text)

/** The id; for a text that is not a UUID, an id that no row has. */
export const comparableId = (text: string): string => (isId(text) ? text : '00000000-0000-0000-0000-000000000000')

/** Whether a text is a UUID in lower case, as ids are printed. */
export const isPrintedId = (text: string): boolean => lowerCase.test(text)

/** A UUIDv7, greater than all that this process has made before. For rows and requests; secrets need more random bits. */
export const newId = (): string => v7()
