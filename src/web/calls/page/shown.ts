// A call as its page has read it.

import type { CallPageQuery } from '../../generated/operations.ts'

export type ShownCall = NonNullable<CallPageQuery['call']>
