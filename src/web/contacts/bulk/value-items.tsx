// Entries of menus, each sets one value of the selected contacts: the owner, the stage, whether they may be called, the recipe of enrichment.

import { Menu, Text } from '@mantine/core'
import { useQuery } from 'urql'
import { useOwners } from '../../contact-record/fields/choices.ts'
import { StageStatus } from '../../contact-record/fields/stage.tsx'
import { RecipesToChooseDocument } from '../../generated/documents/contact-record-fields.ts'
import { type LifecycleStage, lifecycleStageValues } from '../../generated/schema.ts'
import { contactWords } from '../../language/en/contacts.ts'
import { recipeText } from '../../language/en/enrichment/recipes.ts'
import { amount } from '../../pieces/money.tsx'

interface ItemsProps<Value> {
  onChoose(value: Value): void
}

export function OwnerItems({ onChoose }: ItemsProps<string | null>) {
  return (
    <>
      {useOwners().map(({ value, label }) => (
        <Menu.Item key={value} onClick={() => onChoose(value)}>
          {label}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item onClick={() => onChoose(null)}>{contactWords.bulk.nobody}</Menu.Item>
    </>
  )
}

export function StageItems({ onChoose }: ItemsProps<LifecycleStage>) {
  const stages = Object.keys(contactWords.stage).flatMap(name => lifecycleStageValues.find(value => value === name) ?? [])
  return stages.map(stage => (
    <Menu.Item key={stage} onClick={() => onChoose(stage)}>
      <StageStatus stage={stage} />
    </Menu.Item>
  ))
}

export function CallItems({ onChoose }: ItemsProps<boolean>) {
  return (
    <>
      <Menu.Item onClick={() => onChoose(true)}>{contactWords.bulk.doNotCall}</Menu.Item>
      <Menu.Item onClick={() => onChoose(false)}>{contactWords.bulk.mayCall}</Menu.Item>
    </>
  )
}

export function RecipeItems({ onChoose }: ItemsProps<string>) {
  const [{ data }] = useQuery({ query: RecipesToChooseDocument })
  const recipes = (data?.recipes.nodes ?? []).filter(({ kinds }) => kinds === null || kinds.includes('contact'))
  const words = contactWords.recipe
  return recipes.map(({ name, title, price, unavailable }) => (
    <Menu.Item key={name} disabled={unavailable !== null} onClick={() => onChoose(name)}>
      {recipeText(title)}
      <Text size="xs" c="dimmed">
        {unavailable !== null ? words.notSetUp : price > 0 ? words.forEach(amount(price)) : words.free}
      </Text>
    </Menu.Item>
  ))
}
