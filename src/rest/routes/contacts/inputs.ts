// Zod schemas of what hangs on contacts.

import { z } from 'zod'
import { text } from '../inputs.ts'

const pinned = z.boolean().optional().meta({ description: 'Whether it stands before the others.' })

export const newNote = z.strictObject({ text: text(10_000), pinned }).meta({ id: 'NewNote' })
export const noteChange = z.strictObject({ text: text(10_000).optional(), pinned }).meta({ id: 'NoteChange' })
