// The suggestion's contact, at the right of the card.

import { Badge, Group, Stack, Text } from '@mantine/core'
import { nameOf } from '../contact-record/fields/fields.ts'
import type { SuggestionCardFragment } from '../generated/operations.ts'
import { contactWords } from '../language/en/contacts.ts'
import { enrichmentWords } from '../language/en/enrichment.ts'
import { suggestionWords } from '../language/en/screens/suggestions.ts'
import { fieldWords } from '../language/en/values.ts'
import { wordOf } from '../language/values.ts'
import { AnchorLink } from '../pieces/links.tsx'
import { Time } from '../pieces/time.tsx'
import classes from './queue.module.css'

const maxTags = 8

export function ContactAside({ suggestion: { contact, target, expiresAt } }: { suggestion: SuggestionCardFragment }) {
  const facts: readonly (readonly [string, string | null])[] = contact
    ? [
        [fieldWords.email, contact.email],
        [fieldWords.phone, contact.phone],
        [fieldWords.companyName, contact.companyName],
        [fieldWords.jobTitle, contact.jobTitle],
        [fieldWords.lifecycleStage, contactWords.stage[contact.lifecycleStage]],
      ]
    : [
        [suggestionWords.app, target.hostApp],
        [suggestionWords.record, target.targetId],
      ]
  return (
    <aside className={classes.aside} aria-label={contact ? suggestionWords.contact : suggestionWords.record}>
      <Stack gap="md">
        {contact ? (
          <AnchorLink to="/contacts/$contactId" params={{ contactId: contact.id }} fw={600} className={classes.anywhere} lineClamp={3}>
            {nameOf(contact)}
          </AnchorLink>
        ) : (
          <Text fw={600}>{wordOf(enrichmentWords.target, target.kind)}</Text>
        )}
        <dl className={classes.fields}>
          {facts.map(([label, value]) =>
            value === null ? null : (
              <div key={label}>
                <Text component="dt" size="xs" c="dimmed">
                  {label}
                </Text>
                <Text component="dd" size="sm" m={0} className={classes.anywhere} lineClamp={3}>
                  {value}
                </Text>
              </div>
            ),
          )}
        </dl>
        {contact && contact.tags.length > 0 && (
          <Group gap={4}>
            {contact.tags.slice(0, maxTags).map(tag => (
              <Badge key={tag} variant="default" size="sm" tt="none" fw={400} maw="100%">
                {tag}
              </Badge>
            ))}
          </Group>
        )}
        <Text size="xs" c="dimmed">
          {suggestionWords.expires} <Time at={expiresAt} isPlanned /> {suggestionWords.undecided}
        </Text>
      </Stack>
    </aside>
  )
}
