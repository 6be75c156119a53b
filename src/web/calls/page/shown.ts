// The type of a call on its page.

import type { CallPageQuery } from '../../generated/operations.ts'

export type ShownCall = NonNullable<CallPageQuery['call']>
