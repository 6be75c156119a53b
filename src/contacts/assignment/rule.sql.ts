// The assignment rule of an organization, and the turns of the members who get new contacts.

import { statement } from '../../database/statement.ts'
import { bigint, jsonb, rows, text, textArray } from '../../database/table.ts'
import { enumeration, type ValueOf } from '../../kernel/fields/enumeration.ts'

export const assignmentKinds = enumeration('AssignmentKind', 'How new contacts without an owner get one.', {
  none: 'They stay without an owner.',
  round_robin: 'The chosen members get them in turn.',
  by_country: 'By their country. The others go to the chosen members in turn.',
  by_source: 'By their source. The others go to the chosen members in turn.',
})
export type AssignmentKind = ValueOf<typeof assignmentKinds>

/** The member who gets the contacts of some countries or sources. */
export interface AssignmentEntry {
  values: readonly string[]
  userId: string
}

const rule = rows({
  kind: text.as<AssignmentKind>(),
  entries: jsonb.as<readonly AssignmentEntry[]>(),
  userIds: textArray,
  /** The named users who are members. */
  members: textArray,
})
export type StoredRule = ReturnType<typeof rule.row>

export const readRule = statement(
  'assignment_rule',
  `select r.kind, r.entries, r.user_ids, array(
     select m.user_id from memberships m where m.organization_id = r.org_id
       and m.user_id = any(r.user_ids || array(select entry ->> 'userId' from jsonb_array_elements(r.entries) entry))) as members
   from assignment_rules r where r.org_id = $1`,
  rule,
)

/**
 * Takes $2 turns, and returns the number of the first one. Returns nothing while another transaction takes some: waiting for it could
 * deadlock, because both hold the locks of the contacts that they have inserted.
 */
export const takeTurns = statement(
  'assignment_rule_turns',
  `with free as (select org_id from assignment_rules where org_id = $1 for update skip locked)
   update assignment_rules r set position = r.position + $2 from free where r.org_id = free.org_id returning r.position - $2 as position`,
  rows({ position: bigint }),
)
