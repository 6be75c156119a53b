// Static checks of the guides: links resolve, examples are valid, the README is short.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import GithubSlugger from 'github-slugger'
import { parse, validate } from 'graphql'
import JSON5 from 'json5'
import { marked, type Token } from 'marked'
import { describe, expect, onTestFinished, test } from 'vitest'
import { gatewaySettings } from '../../src/config/gateway/file.ts'
import { publicOf } from '../../src/graphql/schema/public.ts'
import { schema as wholeSchema } from '../../src/graphql/schema/root.ts'
import { guides } from '../../src/rest/docs/guides.ts'
import { blocksOf, differences, stepsOf } from './guide.ts'

const schema = publicOf(wholeSchema)

const root = join(import.meta.dirname, '../..')
const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], { cwd: root, encoding: 'utf8' })
const files = listed.split('\n').filter(file => file !== '' && existsSync(join(root, file)))
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')
const allBlocks = files.flatMap(file => blocksOf(file, textOf(file)))

function tokensOf<Type extends Token['type']>(file: string, type: Type): Extract<Token, { type: Type }>[] {
  const found: Extract<Token, { type: Type }>[] = []
  const isWanted = (token: Token): token is Extract<Token, { type: Type }> => token.type === type
  marked.walkTokens(marked.lexer(textOf(file)), token => {
    if (isWanted(token)) found.push(token)
  })
  return found
}

function anchorsOf(file: string): string[] {
  const slugger = new GithubSlugger()
  return tokensOf(file, 'heading').map(({ text }) => slugger.slug(text.replaceAll('`', '')))
}

describe('links', () => {
  test('each resolves to a file of the repository, and to a heading in it', () => {
    const broken = files.flatMap(file =>
      tokensOf(file, 'link')
        .filter(({ href }) => !/^https?:/.test(href))
        .filter(({ href }) => {
          const [path = '', anchor] = href.split('#')
          const target = path === '' ? file : normalize(join(dirname(file), path))
          if (!existsSync(join(root, target))) return true
          return anchor !== undefined && !(target.endsWith('.md') && anchorsOf(target).includes(anchor))
        })
        .map(({ href }) => `${file}: ${href}`),
    )
    expect(broken).toEqual([])
  })

  test('every Markdown file is a guide that the server renders', () => {
    expect(files.toSorted()).toEqual(guides.map(({ file }) => file).toSorted())
  })
})

describe('examples', () => {
  test('every GraphQL document is valid', () => {
    const documents = allBlocks.filter(({ language }) => language === 'graphql')
    const invalid = documents.flatMap(({ name, lines }) =>
      validate(schema, parse(lines.join('\n'))).map(error => `${name}: ${error.message}`),
    )
    expect(invalid).toEqual([])
    expect(documents).not.toEqual([])
  })

  test('every gateway file is valid', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rolocom-guides-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    mkdirSync(join(folder, 'transforms'))
    writeFileSync(join(folder, 'telegram.token'), 'token')
    // Every variable that a guide names is set.
    const environment = new Proxy<Record<string, string>>({}, { get: () => `whsec_${Buffer.alloc(24, 'x').toString('base64')}` })
    const configurations = allBlocks.filter(({ language }) => language === 'json5')
    for (const { lines } of configurations)
      expect(() => gatewaySettings(JSON5.parse(lines.join('\n')), { environment, folder })).not.toThrow()
    expect(configurations.length).toBeGreaterThan(2)
  })

  test('every shell command is run, or has a reason why not', () => {
    const commands = allBlocks.filter(({ language }) => language === 'sh')
    const steps = stepsOf(allBlocks)
    expect(commands.filter(({ notRun, name }) => notRun === undefined && !steps.some(step => step.name === name))).toEqual([])
    expect(
      commands.filter(({ notRun }) => notRun !== undefined).map(({ name, notRun }) => `${name.replace(/, line \d+$/, '')}: ${notRun}`),
    ).toEqual([
      // No reader could run these as they stand.
      'README.md, Two commands: the tour runs them before this guide, in a terminal',
      'prisma/README.md, Embedded or yours: needs a PostgreSQL of yours',
      'prisma/README.md, Backup: npm run round -- faults does, under load',
      'prisma/README.md, Backup: needs a PostgreSQL of yours',
      'prisma/README.md, Backup: npm run round -- faults does, with a dump under load',
      'prisma/README.md, Restore: npm run round -- faults does, into another cluster',
      'prisma/README.md, Restore: empties the database',
      'src/mcp/README.md, Five minutes: needs Claude Code and a browser',
      "src/server/README.md, As a package: needs an empty folder and npm's registry; npm run round -- package does it",
      'src/server/README.md, Production: production',
      'src/server/README.md, Traces: needs Docker',
      'src/web/README.md, The web app: a build, and servers that run until they are stopped',
    ])
  })

  test('every example of the client is run, and shows what it prints', () => {
    const examples = allBlocks.filter(({ language, file }) => language === 'ts' && file === undefined)
    expect(examples.filter(({ notRun }) => notRun !== undefined).map(({ name }) => name)).toEqual([])
    expect(examples.filter(({ lines }) => !lines.some(line => line.includes('// -> '))).map(({ name }) => name)).toEqual([])
    expect(examples.length).toBeGreaterThan(10)
  })

  test('each block has a known language', () => {
    const known = ['sh', 'json', '', 'json5', 'yaml', 'ts', 'js', 'graphql', 'sql', 'text']
    expect(allBlocks.filter(({ language }) => !known.includes(language)).map(({ name }) => name)).toEqual([])
  })
})

test('an answer that depends on timing matches both of its values, and no third', () => {
  const isAsShown = (outcome: string) => differences(`{"ok":true,"outcome":"${outcome}"}`, ['{"ok":true,"outcome":"queued"}']).length === 0
  expect(['queued', 'coalesced', 'lost'].map(isAsShown)).toEqual([true, true, false])
})

test('the README has at most 10 kB', () => {
  expect(Buffer.byteLength(textOf('README.md'))).toBeLessThanOrEqual(10_000)
})
