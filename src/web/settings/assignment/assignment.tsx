// The assignment rule: who becomes the owner of new contacts.

import { useRead } from '../../data/use-read.ts'
import { AssignmentRuleDocument } from '../../generated/documents/settings-assignment.ts'
import { assignmentWords as words } from '../../language/en/settings/assignment.ts'
import { ForAccounts } from '../../session/for-accounts.tsx'
import { useMe } from '../../session/use-me.ts'
import { Section } from '../section.tsx'
import { RuleForm } from './rule-form.tsx'

export function Assignment() {
  const { organization, isGuest } = useMe()
  const read = useRead(AssignmentRuleDocument, {}, { isFresh: true, isOn: !isGuest })
  const { data } = read
  const members = data?.organization.members?.nodes ?? []
  const options = members.flatMap(({ user }) => (user ? [{ value: user.id, label: user.name ?? user.email ?? user.id }] : []))
  const mayChange = organization?.role === 'OWNER' || organization?.role === 'ADMIN'
  if (isGuest)
    return (
      <Section title={words.title}>
        <ForAccounts what={words.title} />
      </Section>
    )
  return (
    <Section title={words.title} sentence={words.sentence} read={read} height={180}>
      {data && (
        <RuleForm
          key={JSON.stringify(data.assignmentRule)}
          rule={data.assignmentRule}
          members={options}
          isOff={!mayChange}
          onSaved={read.reread}
        />
      )}
    </Section>
  )
}
