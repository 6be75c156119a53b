// Example bodies of the credit API for the API reference.

const grant = {
  id: '0199f0e0-5a3c-7b1e-9c55-2f6b1f0c9a77',
  amount: 1000,
  remaining: 987.5,
  category: 'promotional',
  priority: 50,
  status: 'active',
  reference: 'new user',
  effective_at: '2026-05-31T23:57:24.480Z',
  expires_at: null,
  created_at: '2026-05-31T23:57:24.480Z',
}
const transfer = {
  transaction_id: '0199f0e0-6b1d-7c2a-8d10-93a4e5f60718',
  user_id: 'user_ada',
  amount: 12.5,
  balance_before: 1000,
  balance_after: 987.5,
  available: 987.5,
  breakdown: [{ grant_id: grant.id, category: 'promotional', amount: 12.5 }],
  reference: 'report:42',
  created_at: '2026-06-01T08:00:00.000Z',
}
const balance = {
  user_id: 'user_ada',
  unit: 'credit',
  balance: 987.5,
  reserved: 0,
  available: 987.5,
  low_balance: false,
  low_balance_threshold: 100,
  next_expiry: null,
  grants: [grant],
  as_of: '2026-06-01T08:00:00.000Z',
}
const entry = {
  id: transfer.transaction_id,
  user_id: 'user_ada',
  type: 'debit',
  amount: -12.5,
  reserved: 0,
  balance_after: 987.5,
  available_after: 987.5,
  breakdown: transfer.breakdown,
  hold_id: null,
  reference: 'report:42',
  actor: { type: 'service', id: null, name: null },
  door: 'rest',
  operation: 'deductCredits',
  request_id: '0199f0e0-6b1d-7c2a-8d10-93a4e5f60719',
  created_at: transfer.created_at,
}
const bought = {
  ...grant,
  id: '0199f0e0-7777-7b1e-9c55-2f6b1f0c9a78',
  amount: 500,
  remaining: 500,
  category: 'paid',
  reference: 'invoice:7',
  expires_at: '2027-06-01T00:00:00.000Z',
}

export const creditExamples = {
  balance,
  transactions: { data: [entry], has_more: false, next_cursor: null, total: null },
  deduct: { user_id: 'user_ada', amount: 12.5, reference: 'report:42' },
  transfer,
  grant: { user_id: 'user_ada', amount: 500, category: 'paid', expires_at: '2027-06-01T00:00:00Z', reference: 'invoice:7' },
  granted: {
    grant: bought,
    transaction: {
      ...transfer,
      amount: 500,
      balance_before: 987.5,
      balance_after: 1487.5,
      available: 1487.5,
      breakdown: [{ grant_id: bought.id, category: 'paid', amount: 500 }],
      reference: 'invoice:7',
    },
  },
  voided: { ...bought, remaining: 0, status: 'voided', expires_at: '2026-06-01T08:00:00.000Z' },
  adjust: { user_id: 'user_ada', amount: -2.5, reference: 'ticket 9: counted twice' },
  adjusted: {
    ...transfer,
    amount: -2.5,
    balance_before: 987.5,
    balance_after: 985,
    available: 985,
    breakdown: [{ grant_id: grant.id, category: 'promotional', amount: 2.5 }],
    reference: 'ticket 9: counted twice',
  },
}
