// Recipes of enrichment: the lookups and the highest cost of each, and the providers that this installation lacks.

import { Badge, Group, Text, Title } from '@mantine/core'
import { useRead } from '../data/use-read.ts'
import { Header } from '../frame/header.tsx'
import { RecipesDocument } from '../generated/documents/recipes.ts'
import type { RecipesQuery } from '../generated/operations.ts'
import { recipeText } from '../language/en/enrichment/recipes.ts'
import { enrichmentWords } from '../language/en/enrichment.ts'
import { frameWords } from '../language/en/frame.ts'
import { runWords } from '../language/en/screens/runs.ts'
import { fieldLabel, wordOf } from '../language/values.ts'
import { AnchorLink } from '../pieces/links.tsx'
import { MissingConnection } from '../pieces/missing-connection.tsx'
import { amount, Credits } from '../pieces/money.tsx'
import { Empty } from '../pieces/states/empty.tsx'
import { Unread } from '../pieces/states/unread.tsx'
import { Status } from '../pieces/status.tsx'
import classes from './recipes.module.css'

type Recipe = RecipesQuery['recipes']['nodes'][number]

export function RecipesScreen() {
  const read = useRead(RecipesDocument, {})
  const recipes = read.data?.recipes.nodes
  return (
    <>
      <Header title={frameWords.places.recipes} />
      <div className={classes.page}>
        {!recipes && <Unread read={read} height={160} count={2} />}
        {recipes?.length === 0 && (
          <Empty
            sentence={runWords.sources.empty}
            guide={{ href: '/docs/guides/enrichment#write-a-recipe', label: runWords.sources.guide }}
          />
        )}
        {recipes?.map(recipe => (
          <RecipeView key={recipe.id} recipe={recipe} />
        ))}
      </div>
    </>
  )
}

function RecipeView({ recipe: { name, title, description, version, price, isDefaultFor, steps, unavailable } }: { recipe: Recipe }) {
  const missing = steps.filter(({ unavailable }) => unavailable !== null).length
  return (
    <article className={classes.recipe} aria-label={recipeText(title)}>
      <Group justify="space-between" align="baseline" wrap="nowrap">
        <Group gap="xs" align="baseline">
          <Title order={2} size="h3">
            {recipeText(title)}
          </Title>
          {isDefaultFor.map(kind => (
            <Badge key={kind} variant="default" size="sm" tt="none" fw={400}>
              {runWords.sources.defaultFor(kind === '*' ? null : wordOf(enrichmentWords.target, kind))}
            </Badge>
          ))}
        </Group>
        <Text span className={classes.price} title={amount(price)}>
          {unavailable !== null ? (
            runWords.sources.notSetUp
          ) : price === 0 ? (
            runWords.sources.free
          ) : (
            <>
              {runWords.sources.atMost} <Credits value={price} />
            </>
          )}
        </Text>
      </Group>
      <Text c="dimmed" size="sm" mt={4} maw={640}>
        {recipeText(description)}
      </Text>
      <ul className={classes.steps}>
        {steps.map(one => (
          <li key={`${one.step} ${one.provider}`} className={classes.step}>
            <Text span size="sm" fw={500}>
              {fieldLabel(one.step)}{' '}
              <Text span size="sm" c="dimmed" fw={400}>
                {one.provider !== one.step && wordOf(enrichmentWords.provider, one.provider)}
              </Text>
            </Text>
            <Text span size="sm" c="dimmed" className={classes.fields}>
              {one.fields.map(fieldLabel).join(', ')}
            </Text>
            <Text span size="sm" className={classes.cost}>
              {one.unavailable !== null ? null : one.price === 0 ? runWords.sources.free : <Credits value={one.price} />}
            </Text>
            {one.unavailable && (
              <span className={classes.missing}>
                <Status tone="waiting" label={runWords.sources.skipped} /> <MissingConnection reason={one.unavailable} />
              </span>
            )}
          </li>
        ))}
      </ul>
      <Group gap="md" mt="xs">
        <AnchorLink to="/jobs" search={{ recipe: name }} size="sm">
          {runWords.sources.runs}
        </AnchorLink>
        <Text size="xs" c="dimmed">
          {runWords.sources.version(version)}
          {missing > 0 && runWords.sources.missing(missing, steps.length)}
        </Text>
      </Group>
    </article>
  )
}
