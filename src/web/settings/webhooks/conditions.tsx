// The filter of an endpoint: conditions on fields. One of them must hold.

import { ActionIcon, Autocomplete, Button, Group, Input, Stack, TagsInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import type { WriteForm } from '../../forms/use-write-form.ts'
import { endpointWords } from '../../language/en/settings/endpoints.ts'
import { type EndpointValues, labels } from './endpoint-values.ts'
import classes from './webhooks.module.css'

// The API's limit.
const maxConditions = 20
// Suggestions of common fields; any other field can be typed.
const usualFields = ['lifecycle_stage', 'email', 'phone', 'company_name', 'owner_user_id', 'tags', 'do_not_call', 'status']

interface ConditionsProps extends Pick<WriteForm<EndpointValues>, 'form'> {
  customKeys: readonly string[]
}

export function Conditions({ form, customKeys }: ConditionsProps) {
  const [count, setCount] = useState(form.getValues().filter.length)
  const add = () => {
    form.insertListItem('filter', { field: '', values: [] })
    setCount(count + 1)
  }
  const remove = (index: number) => {
    form.removeListItem('filter', index)
    setCount(count - 1)
  }
  return (
    <Input.Wrapper labelElement="div" label={labels.filter} description={endpointWords.conditionsHelp}>
      <Stack gap="xs" mt={6}>
        {form.getValues().filter.map((_condition, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the form identifies a condition by its index.
          <Group key={index} gap="xs" wrap="nowrap" align="flex-start" className={classes.condition}>
            <Autocomplete
              aria-label={endpointWords.fieldOf(index + 1)}
              placeholder="lifecycle_stage"
              data={[...usualFields, ...customKeys.map(key => `custom.${key}`)]}
              {...form.getInputProps(`filter.${index}.field`)}
            />
            <TagsInput
              aria-label={endpointWords.valuesOf(index + 1)}
              maxTags={25}
              classNames={{ inputField: classes.typed }}
              {...form.getInputProps(`filter.${index}.values`)}
            />
            <ActionIcon mt={4} aria-label={endpointWords.remove(index + 1)} onClick={() => remove(index)}>
              <IconX />
            </ActionIcon>
          </Group>
        ))}
        <Group>
          <Button variant="default" leftSection={<IconPlus />} disabled={count >= maxConditions} onClick={add}>
            {endpointWords.addCondition}
          </Button>
        </Group>
      </Stack>
    </Input.Wrapper>
  )
}
