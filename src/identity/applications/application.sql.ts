// Locks of codes, so that a code is exchanged once and a device is decided once.

import { statement } from '../../database/statement.ts'
import { rows, uuid } from '../../database/table.ts'

const id = rows({ id: uuid })

export const lockCode = statement('authorization_code_lock', 'select id from authorization_codes where code_hash = $1 for update', id)
export const lockDevice = statement(
  'device_authorization_lock',
  'select id from device_authorizations where device_code_hash = $1 for update',
  id,
)
export const lockUserCode = statement(
  'device_authorization_lock_user_code',
  'select id from device_authorizations where user_code = $1 for update',
  id,
)
