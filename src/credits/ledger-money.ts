// The port that other domains spend through, with the ledger behind it.

import type { Context } from '../context.ts'
import type { Money } from '../money.ts'
import { openAccount, payerOf } from './account.ts'
import { release, reserve, settle } from './hold.ts'

export const ledgerMoney: Money<Context> = { payerOf, openAccount, reserve, settle, release }
