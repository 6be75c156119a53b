// Who may import whom. Each failure names the file, the import and the rule.

import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'

interface Room {
  name: string
  holds: RegExp
  /** Relative imports must match one of these. */
  mayImport: RegExp[]
  /** Packages it must not name. */
  mustNotName?: RegExp
}

// The gateway's file is part of the configuration.
const settings = /^src\/gateway\/(settings|settings-shape|settings-values|mapping-settings|models|words)\.ts$/
const kernel =
  /^src\/(body|bounded|filter-values|json-input|config|errors|issue-words|context|convoy|point-read|once|stored-answer|events|outbox|load|tasks|metrics|seal|outgoing|money|own|mail-queue|release|secret-checker|turns|user-agent)\.ts$|^src\/database\/|^src\/identity\/principal\.ts$|^src\/voice\/telephony\.ts$|^src\/gateway\/(settings|settings-shape|settings-values|mapping-settings|models|words)\.ts$/
const domains = ['identity', 'contacts', 'voice', 'enrichment', 'credits', 'gateway', 'dashboard']

// A domain's rules may call the rules of domains before it, never after.
const rulesUpTo = (domain: string) =>
  new RegExp(`^src/(${domains.slice(0, domains.indexOf(domain) + 1).join('|')})/(?:[a-z-]+/)?[a-z-]+(\\.sql)?\\.ts$`)
const typesUpTo = (domain: string) =>
  new RegExp(`^src/(${domains.slice(0, domains.indexOf(domain) + 1).join('|')})/[a-z-]+\\.graphql\\.ts$`)

const rooms: Room[] = [
  {
    name: 'kernel',
    holds: kernel,
    mayImport: [kernel],
    mustNotName: /^(express|@pothos|graphql)/,
  },
  ...domains.flatMap(domain => [
    {
      name: `types of ${domain}`,
      holds: new RegExp(`^src/${domain}/.*\\.graphql\\.ts$`),
      mayImport: [kernel, /^src\/graphql\/builder\.ts$/, rulesUpTo(domain), typesUpTo(domain)],
      mustNotName: /^express/,
    },
    {
      name: `rules of ${domain}`,
      // What stands in a folder of its own below is a port's implementation.
      holds: new RegExp(`^src/${domain}/(?!.*\\.graphql\\.ts$)[^/]*\\.ts$`),
      mayImport: [kernel, rulesUpTo(domain)],
      // The identity provider is an HTTP application of its own, mounted whole.
      mustNotName: domain === 'identity' ? /^(@pothos|graphql)/ : /^(express|@pothos|graphql)/,
    },
    {
      name: `implementations of the ports of ${domain}`,
      holds: new RegExp(`^src/${domain}/[a-z-]+/`),
      mayImport: [kernel, rulesUpTo(domain), new RegExp(`^src/${domain}/[a-z-]+/`)],
      mustNotName: /^(express|@pothos|graphql)/,
    },
  ]),
  {
    name: 'telephone providers',
    holds: /^src\/voice\/telephony\//,
    mayImport: [kernel, /^src\/voice\/telephony\//],
    mustNotName: /^(express|@pothos|graphql)/,
  },
  {
    name: 'graphql',
    holds: /^src\/graphql\//,
    mayImport: [kernel, /^src\/graphql\//, /^src\/identity\/authenticate\.ts$/, /\.graphql\.ts$/, /^src\/limiter\.ts$/],
  },
  {
    name: 'rest',
    holds: /^src\/rest\//,
    mayImport: [
      /^src\/rest\//,
      // What the rules refuse is said beside what the shapes refuse. These look, and change nothing.
      /^src\/(contacts\/(contact-input|contact-check|page|window)|credits\/credit-input)\.ts$/,
      /^src\/graphql\/run\.ts$/,
      /^src\/operations\.gen\.ts$/,
      /^src\/identity\/(principal|authenticate|what-to-send)\.ts$/,
      /^src\/(body|bounded|filter-values|json-input|context|once|errors|issue-words|config|limiter)\.ts$/,
    ],
  },
  {
    name: 'hooks',
    holds: /^src\/hooks\//,
    mayImport: [
      /^src\/hooks\//,
      settings,
      /^src\/graphql\/run\.ts$/,
      /^src\/operations\.gen\.ts$/,
      /^src\/identity\/(principal|authenticate|what-to-send)\.ts$/,
      /^src\/(body|json-input|context|once|errors|config|limiter|own|secret-checker)\.ts$/,
    ],
  },
  {
    name: 'tools',
    holds: /^src\/tools\//,
    mayImport: [
      /^src\/tools\//,
      /^src\/gateway\/agent-runtime\.ts$/,
      /^src\/graphql\/(compile|run|schema)\.ts$/,
      /^src\/operations\.gen\.ts$/,
      /^src\/identity\/principal\.ts$/,
      /^src\/(context|errors|money)\.ts$/,
    ],
  },
  { name: 'web', holds: /^src\/web\//, mayImport: [/^src\/web\//] },
]

const files = globSync('src/**/*.ts').filter(file => !file.includes('/generated/') && !file.endsWith('.gen.ts'))
const importsOf = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/^\s*(?:import|export)\b[^'"]*?\bfrom\s+'([^']+)'|^\s*import\s+'([^']+)'/gm)].map(
    match => (match[1] ?? match[2]) as string,
  )
const target = (file: string, name: string) => normalize(join(dirname(file), name))

describe('the house', () => {
  for (const room of rooms)
    test(`${room.name} imports only what it may`, () => {
      const broken = files
        .filter(file => room.holds.test(file))
        .flatMap(file =>
          importsOf(file)
            .filter(name =>
              name.startsWith('.') ? !room.mayImport.some(rule => rule.test(target(file, name))) : room.mustNotName?.test(name),
            )
            .map(name => `${file} imports ${name}`),
        )
      expect(broken).toEqual([])
    })

  test('a table is written by one domain, whose rules give each change its version and its event', () => {
    // The outbox, which every write adds to. Retention deletes what is old, whosever it is.
    const shared = ['events']
    const retention = 'src/retention.ts'
    const writers = new Map<string, Set<string>>()
    for (const file of files.filter(file => file !== retention)) {
      const sql = /\b(?:insert\s+into|delete\s+from|update)\s+([a-z_]+)(?:\s+\w+)?\s+(?:set\b|\(|where\b|using\b)/g
      for (const [, table = ''] of readFileSync(file, 'utf8').matchAll(sql))
        writers.set(table, (writers.get(table) ?? new Set()).add(file.split('/').slice(0, 2).join('/')))
    }

    const several = [...writers].filter(([table, domains]) => domains.size > 1 && !shared.includes(table))
    expect(several.map(([table, domains]) => `${table}: ${[...domains].join(', ')}`)).toEqual([])
    expect(writers.get('contacts')).toEqual(new Set(['src/contacts']))
  })

  test('there are no import cycles', () => {
    const graph = new Map(
      files.map(file => [
        file,
        importsOf(file)
          .filter(name => name.startsWith('.'))
          .map(name => target(file, name)),
      ]),
    )
    const done = new Set<string>()
    const cycles: string[] = []
    const visit = (file: string, path: string[]) => {
      if (path.includes(file)) return void cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '))
      if (done.has(file)) return
      for (const next of graph.get(file) ?? []) visit(next, [...path, file])
      done.add(file)
    }
    for (const file of files) visit(file, [])
    expect(cycles).toEqual([])
  })

  test('only main.ts reads the environment', () => {
    expect(files.filter(file => file !== 'src/main.ts' && /\bprocess\.env\b/.test(readFileSync(file, 'utf8')))).toEqual([])
  })

  test('no file is named after nothing in particular, and none is an index', () => {
    const vague = /\/(utils?|helpers?|common|types|constants|manager|service|index)\.ts$/
    expect(files.filter(file => vague.test(file))).toEqual([])
  })

  test('every file says in its first line what it is for', () => {
    expect(files.filter(file => !readFileSync(file, 'utf8').startsWith('// '))).toEqual([])
  })

  test('every rule above looks at files that exist', () => {
    const present = ['kernel', 'types of identity', 'rules of identity', 'types of contacts', 'rules of contacts', 'graphql', 'rest', 'web']
    for (const name of present)
      expect(
        files.some(file => rooms.find(room => room.name === name)?.holds.test(file)),
        name,
      ).toBe(true)
  })
})
