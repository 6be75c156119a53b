// GraphQL: the doors by which operations come in.

import { type Door, doors } from '../../kernel/door.ts'
import { builder } from './builder.ts'

export const DoorEnum = builder.enumType('Door', {
  description: 'The way an operation came in.',
  values: Object.fromEntries(
    Object.entries(doors).map(([door, description]) => [door.toUpperCase(), { value: door as Door, description }]),
  ),
})
