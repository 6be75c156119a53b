// Who may import whom, and who writes which table. Each failure names the file, the import or statement, and the rule.

import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'

interface Room {
  name: string
  holds: RegExp
  /** Relative imports must match one of these. */
  mayImport: RegExp[]
  /** Packages it must not name. */
  mustNotName?: RegExp
}

const domains = ['identity', 'contacts', 'voice', 'enrichment', 'credits', 'gateway', 'dashboard', 'webhooks', 'inbox', 'entities']
const upTo = (domain: string) => domains.slice(0, domains.indexOf(domain) + 1).join('|')

// Interfaces that another room implements. The kernel does not name them: a domain adds its port to the interface `Services`.
const ports =
  /^src\/(voice\/providers\/telephony|gateway\/channels\/channel|gateway\/models\/runtime|gateway\/configuration\/hook-mappings|credits\/money)\.ts$/
const kernel = /^src\/(kernel|database|config|generated\/prisma)\//
const webFrameworks = /^(express|@pothos|graphql)/

// A domain's rules may call the rules of domains before it, never after.
const rulesUpTo = (domain: string) => new RegExp(`^src/(${upTo(domain)})/(?!.*\\.graphql\\.ts$)`)
const typesUpTo = (domain: string) => new RegExp(`^src/(${upTo(domain)})/.*\\.graphql\\.ts$`)

// Imports of doors: authentication, running and describing stored operations, and rate limits.
const forDoors = [
  kernel,
  ports,
  /^src\/graphql\/execute\/(run|problems|json-schema)\.ts$/,
  /^src\/generated\/operations\.ts$/,
  /^src\/identity\/authentication\/(authenticate|challenge)\.ts$/,
  // The type of the limiter that the server hands to each door.
  /^src\/server\/rate-limit\.ts$/,
]

const rooms: Room[] = [
  { name: 'kernel', holds: kernel, mayImport: [kernel], mustNotName: webFrameworks },
  { name: 'ports', holds: ports, mayImport: [kernel, ports], mustNotName: webFrameworks },
  ...domains.flatMap(domain => [
    {
      name: `types of ${domain}`,
      holds: new RegExp(`^src/${domain}/.*\\.graphql\\.ts$`),
      mayImport: [
        kernel,
        ports,
        /^src\/graphql\/schema\/(builder|(actor|entry|error|event|fields|node|noun|lists\/(connection|grouping|selection|series|value-enum))\.graphql)\.ts$/,
        rulesUpTo(domain),
        typesUpTo(domain),
      ],
      mustNotName: /^express/,
    },
    {
      name: `rules of ${domain}`,
      holds: new RegExp(`^src/${domain}/(?!.*\\.graphql\\.ts$)`),
      mayImport: [kernel, ports, rulesUpTo(domain)],
      // The identity provider is an HTTP application of its own, mounted whole.
      mustNotName: domain === 'identity' ? /^(@pothos|graphql)/ : webFrameworks,
    },
  ]),
  {
    name: 'graphql/schema',
    holds: /^src\/graphql\/schema\/(?!root\.ts$)/,
    mayImport: [kernel, /^src\/graphql\/schema\//],
    mustNotName: /^express/,
  },
  {
    name: 'the root of the schema',
    holds: /^src\/graphql\/schema\/root\.ts$/,
    mayImport: [kernel, /^src\/graphql\/schema\//, /\.graphql\.ts$/],
  },
  {
    name: 'graphql/execute',
    holds: /^src\/graphql\/execute\//,
    mayImport: [kernel, /^src\/graphql\/(schema|execute)\//],
    mustNotName: /^express/,
  },
  {
    name: 'graphql/http',
    holds: /^src\/graphql\/http\//,
    mayImport: [...forDoors, /^src\/graphql\//],
  },
  {
    name: 'rest',
    holds: /^src\/rest\//,
    mayImport: [...forDoors, /^src\/rest\//],
  },
  { name: 'hooks', holds: /^src\/hooks\//, mayImport: [...forDoors, /^src\/hooks\//] },
  {
    name: 'tools',
    holds: /^src\/tools\//,
    mayImport: [...forDoors, /^src\/tools\//, /^src\/graphql\/schema\/(root|builder)\.ts$/],
  },
  {
    name: 'mcp',
    holds: /^src\/mcp\//,
    mayImport: [
      ...forDoors,
      /^src\/mcp\//,
      /^src\/tools\/entries\.ts$/,
      /^src\/graphql\/execute\/(errors|values)\.ts$/,
      /^src\/graphql\/http\/body\.ts$/,
      // The type of an effect that the schema declares.
      /^src\/graphql\/schema\/builder\.ts$/,
    ],
  },
  {
    // They run where no server is installed, so they may load nothing of it.
    name: 'commands of users',
    holds: /^src\/cli\/user\//,
    mayImport: [/^src\/cli\/(user\/|terminal\.ts$)/, /^src\/client\//],
  },
  { name: 'web', holds: /^src\/web\//, mayImport: [/^src\/web\//] },
  // It runs in browsers and on edge runtimes too.
  { name: 'client', holds: /^src\/client\/(?!build\/)/, mayImport: [/^src\/client\/(?!build\/)/], mustNotName: /^(?!openapi-fetch$)/ },
  { name: "the client's generator", holds: /^src\/client\/build\//, mayImport: [/^src\/client\//] },
]

const files = globSync('src/**/*.{ts,tsx}').filter(file => !/^src\/((web|client)\/)?generated\//.test(file))
const textOf = new Map(files.map(file => [file, readFileSync(file, 'utf8')]))
const importsOf = (file: string) =>
  [...(textOf.get(file) ?? '').matchAll(/^\s*(?:import|export)\b[^'"]*?\bfrom\s+'([^']+)'|^\s*import\s+'([^']+)'/gm)].map(
    match => (match[1] ?? match[2]) as string,
  )
const target = (file: string, name: string) => normalize(join(dirname(file), name))

describe('the house', () => {
  for (const room of rooms)
    test(`${room.name}: imports only what it may`, () => {
      const inside = files.filter(file => room.holds.test(file))
      const broken = inside.flatMap(file =>
        importsOf(file)
          .filter(name =>
            name.startsWith('.') ? !room.mayImport.some(rule => rule.test(target(file, name))) : room.mustNotName?.test(name),
          )
          .map(name => `${file} imports ${name}`),
      )
      expect(broken).toEqual([])
      expect(inside, 'a rule about nothing').not.toEqual([])
    })

  test('callers without a credential are counted by their network (kernel/limits), never by their whole address', () => {
    const counting = files.filter(file => importsOf(file).includes('rate-limiter-flexible'))
    const keyed = files.filter(
      file => /\$\{(?:\w+\.)*(?:ip|address)\}/.test(textOf.get(file) ?? '') && /\.ip\b/.test(textOf.get(file) ?? ''),
    )

    // The door of sockets counts the frames of each socket.
    expect(counting.toSorted()).toEqual(['src/server/rate-limit.ts', 'src/voice/conversations/relay/door.ts'])
    expect(keyed).toEqual([])
  })

  test('what others send or answer is counted while it is read: parseJson, parseForm, boundedFetch, readBytes', () => {
    const server = files.filter(file => !/^src\/(cli|client|web|config|database|server\/(bundle|web))\/|\/openapi\//.test(file))
    const naming = (pattern: RegExp) => server.filter(file => pattern.test(textOf.get(file) ?? '')).toSorted()

    // The others parse what this server has written.
    expect(naming(/JSON\.parse\((?!JSON\.stringify)/)).toEqual([
      'src/graphql/http/persisted.ts',
      'src/identity/oauth/token.ts',
      'src/identity/provider/signing-key.ts',
      'src/kernel/idempotency/answer.ts',
      'src/kernel/input/json-text.ts',
      'src/kernel/input/storable.ts',
    ])
    expect(naming(/new URLSearchParams\((text|body|bytes|raw|withoutMark)\b/)).toEqual([
      'src/kernel/input/body.ts',
      'src/rest/router/request.ts',
    ])
    expect(naming(/(?<![\w.])fetch\((?!url, \{ method, headers: \{ 'user-agent')/)).toEqual([
      'src/enrichment/providers/extract.ts',
      'src/kernel/outgoing/fetch.ts',
    ])
    expect(naming(/\breq(uest)?\.on\('data'/)).toEqual(['src/kernel/input/body.ts'])
  })

  test('every file stands in a room, main.ts aside', () => {
    const assembly = /^src\/(main\.ts$|server\/|cli\/)/
    expect(files.filter(file => !assembly.test(file) && !rooms.some(room => room.holds.test(file)))).toEqual([])
    expect(globSync('src/*.ts')).toEqual(['src/main.ts'])
  })

  test('a table is written by one domain, whose rules give each change its version and its event', () => {
    // The outbox, which every write adds to.
    const shared = ['events', 'timeline_entries']
    const tableOf = new Map(
      [...readFileSync('prisma/schema.prisma', 'utf8').matchAll(/^model (\w+) \{[^}]*?@@map\("(\w+)"\)/gms)].map(
        ([, model = '', table = '']) => [model.charAt(0).toLowerCase() + model.slice(1), table],
      ),
    )
    const sql = /\b(?:insert\s+into|delete\s+from|update)\s+([a-z_]+)(?:\s+\w+)?\s+(?:set\b|\(|where\b|using\b)/g
    const built = /\b(?:prune\(\s*'\w+',|followMerges\()\s*'(\w+)'/g
    const prisma = /\.prisma\s*\.(\w+)\s*\.(?:create|update|delete|upsert)/g
    const writers = new Map<string, Set<string>>()
    for (const file of files) {
      // Without documentation, which has examples.
      const text = (textOf.get(file) ?? '').replace(/^ \* .*$/gm, '')
      const tables = [...text.matchAll(sql), ...text.matchAll(built)].map(([, table = '']) => table)
      const models = [...text.matchAll(prisma)].map(([, model = '']) => tableOf.get(model) ?? model)
      for (const table of [...tables, ...models])
        writers.set(table, (writers.get(table) ?? new Set()).add(file.split('/').slice(0, 2).join('/')))
    }

    const several = [...writers].filter(([table, domains]) => domains.size > 1 && !shared.includes(table))
    expect(several.map(([table, domains]) => `${table}: ${[...domains].join(', ')}`)).toEqual([])
    expect(writers.get('contacts')).toEqual(new Set(['src/contacts']))
    expect([...writers.keys()], 'writes through Prisma').toContain('voice_settings')
  })

  test('the statements of domains and of the kernel stand in *.sql.ts, where a test prepares each of them', () => {
    const registering = /\b(?:statement|shortRead)(?:<[^(]*)?\((?!\))/
    const elsewhere = files.filter(
      file =>
        ['kernel', ...domains].some(folder => file.startsWith(`src/${folder}/`)) &&
        !file.endsWith('.sql.ts') &&
        registering.test(textOf.get(file) ?? ''),
    )
    expect(elsewhere).toEqual([])
  })

  test('rows that statements take as JSON are made by `storedJson`, which repairs text that PostgreSQL refuses', () => {
    const asParameter = /\[[^\]\n]*JSON\.stringify\(|^\s+JSON\.stringify\(.*\),$|= JSON\.stringify\(\[/m
    const broken = files.filter(file => importsOf(file).some(name => name.endsWith('.sql.ts')) && asParameter.test(textOf.get(file) ?? ''))
    expect(broken).toEqual([])
  })

  test('a part of the web app that is loaded later waits for a server that is away', () => {
    // `CurrentPage` does it for the pages, the stream of changes for its client.
    const others = ['src/web/app/pages.ts', 'src/web/data/client.ts', 'src/web/app/loaded.ts', 'src/web/vite.config.ts']
    const web = files.filter(file => file.startsWith('src/web/') && !others.includes(file))
    const broken = web.filter(file => /(?<!loadPart\(\(\) => )\bimport\('/.test(textOf.get(file) ?? ''))
    expect(broken, 'write loadPart(() => import(...)), of app/loaded.ts').toEqual([])
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

  test('the kernel names no noun of a domain', () => {
    // The kernel's own tables, and those that say who asks.
    const own =
      /^(events|webhook_reader|database_cluster|idempotency_keys|downloads|uploads|upload_chunks|work_begun|users|organizations|api_keys)$/
    const kernelFiles = files.filter(file => /^src\/(kernel|database)\//.test(file))
    const tables = [...readFileSync('prisma/schema.prisma', 'utf8').matchAll(/@@map\("(\w+)"\)/g)].map(([, table = '']) => table)
    // Only names of two words: the others, such as calls and runs, are words of everyday code too.
    const nouns = tables.filter(table => table.includes('_') && !own.test(table)).map(table => table.replace(/ies$/, 'y').replace(/s$/, ''))
    const pattern = new RegExp(
      `(${nouns.flatMap(noun => [noun, noun.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())]).join('|')})`,
      'i',
    )
    const code = (file: string) => (textOf.get(file) ?? '').replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, '')
    const broken = kernelFiles.flatMap(
      file =>
        code(file)
          .match(pattern)
          ?.slice(0, 1)
          .map(noun => `${file} names ${noun}`) ?? [],
    )
    expect(broken).toEqual([])
    expect(nouns).toContain('contact_note')
  })

  test('only main.ts reads the environment', () => {
    expect(files.filter(file => file !== 'src/main.ts' && /\bprocess\.env\b/.test(textOf.get(file) ?? ''))).toEqual([])
  })

  test('doors read media types by kernel/input/media-type.ts, which knows how clients write them', () => {
    const reading = /\breq\.is\(|headers\['content-type'\]\??\.|content-type'\]\s*[!=]==|\.test\(headers\['content-type'\]/
    expect(files.filter(file => reading.test(textOf.get(file) ?? ''))).toEqual([])
  })

  test('values become part of a path by kernel/outgoing/segment.ts, which refuses `.` and `..`', () => {
    const own = new Set(['src/kernel/outgoing/segment.ts'])
    const encoding = files.filter(file => !file.startsWith('src/web/') && !own.has(file))
    expect(encoding.filter(file => (textOf.get(file) ?? '').includes('encodeURIComponent('))).toEqual([])
  })

  test('no file is named after nothing in particular, and none is an index', () => {
    const vague = /\/(utils?|helpers?|common|types|constants|manager|service|index)\.tsx?$/
    expect(files.filter(file => vague.test(file))).toEqual([])
  })

  test('a file does not repeat the name of its folder', () => {
    const repeating = files.filter(file => basename(file).startsWith(`${basename(dirname(file))}-`))
    expect(repeating).toEqual([])
  })

  test('a file is short enough to be read at once: 400 lines', () => {
    const all = globSync('{src,test}/**/*.{ts,tsx}', { exclude: ['**/node_modules/**', '**/generated/**'] })
    const long = all.map(file => [file, readFileSync(file, 'utf8').split('\n').length - 1] as const).filter(([, lines]) => lines > 400)
    expect(long).toEqual([])
  })

  test('tests have fixtures, helpers and checks, and no other words for them', () => {
    const others = /\b(worlds?|judges?|visitors?|chapters?|canar(?:y|ies))\b/i
    const all = globSync('test/**/*.{ts,tsx}', { exclude: ['**/node_modules/**', 'test/architecture.test.ts'] })
    const named = all.filter(file => others.test(file) || others.test(readFileSync(file, 'utf8')))
    expect(named).toEqual([])
  })

  test('a folder holds few enough files to be taken in at one look', () => {
    const tests = globSync('test/**/*.{ts,tsx}', { exclude: ['**/node_modules/**', '**/.work/**'] })
    const counts = new Map<string, number>()
    for (const file of [...files, ...tests]) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
    expect([...counts].filter(([, count]) => count > 15)).toEqual([])
    const alone = [...counts].filter(([folder, count]) => /^src\/(kernel|database)\//.test(folder) && count === 1)
    expect(alone, 'a folder for one file').toEqual([])
  })

  test('every file says its purpose in its first line', () => {
    expect(files.filter(file => !textOf.get(file)?.startsWith('// '))).toEqual([])
  })
})
