// Words about credits.

import type { CreditGrantCategory, CreditGrantStatus, CreditTransactionType } from '../../generated/schema.ts'
import { room } from '../language.ts'

export const creditWords = room('credits', {
  category: { PAID: 'Paid', PROMOTIONAL: 'Promotional' } satisfies Record<CreditGrantCategory, string>,
  grantStatus: {
    ACTIVE: 'Available',
    PENDING: 'Not yet available',
    USED: 'Used up',
    EXPIRED: 'Expired',
    VOIDED: 'Withdrawn',
  } satisfies Record<CreditGrantStatus, string>,
  transaction: {
    GRANT: 'Added',
    DEBIT: 'Spent',
    HOLD: 'Reserved',
    SETTLE: 'Spent from a reservation',
    RELEASE: 'Reservation released',
    ADJUST: 'Adjusted',
    EXPIRE: 'Expired',
    VOID: 'Withdrawn',
  } satisfies Record<CreditTransactionType, string>,
})
