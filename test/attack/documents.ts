// GraphQL documents and query strings of a few kilobytes that cause as much work as possible.

const times = (count: number, make: (index: number) => string) => Array.from({ length: count }, (_, index) => make(index)).join(' ')
const nested = (depth: number, field: string, leaf: string) => `${`${field} { `.repeat(depth)}${leaf}${' }'.repeat(depth)}`

export const documents: Record<string, string> = {
  '29 aliases of nested lists': `{ ${times(29, index => `a${index}: contacts(first: 3) { nodes { id email calls(first: 2) { nodes { id } } } }`)} }`,
  '150 aliases over nested lists': `{ contacts { nodes { calls { nodes { ${times(150, index => `a${index}: __typename`)} } } } } }`,
  'a field 1,900 times': `{ contacts(first: 40) { nodes { ${'id '.repeat(1900)} } } }`,
  '200 fragments': `{ ${times(200, index => `...F${index}`)} } ${times(200, index => `fragment F${index} on Query { me { id } }`)}`,
  'fragments that double': `{ me { ...F0 } } ${times(20, index => `fragment F${index} on Me { ...F${index + 1} ...F${index + 1} }`)} fragment F20 on Me { id }`,
  'fragments in a circle': '{ me { ...A } } fragment A on Me { ...B } fragment B on Me { ...A }',
  'an alias of 900,000 characters': `{ ${'a'.repeat(900_000)}: me { id } }`,
  'a page of pages of pages':
    '{ contacts(first: 200) { nodes { calls(first: 200) { nodes { contact { calls(first: 200) { nodes { id } } } } } } } }',
  '300 levels': `{ ${nested(300, 'contacts', 'id')} }`,
  'introspection in introspection': `{ __schema { types { ${nested(5, 'fields { type', 'name')} ${'}'.repeat(5)} } }`,
  '900 names that do not exist': `{ ${times(900, index => `nosuchfield${index}`)} }`,
  'braces without end': '{a'.repeat(300_000),
  'a text of 900,000 characters': `{ contact(id: "${'x'.repeat(900_000)}") { id } }`,
}

export const queries: Record<string, string> = {
  '1,000 unknown parameters': Array.from({ length: 1000 }, (_, index) => `unknown${index}=${index}`).join('&'),
  'a parameter 2,000 times': Array.from({ length: 2000 }, () => 'q=x').join('&'),
  'a long name': `${'n'.repeat(15_000)}=1`,
  'a long value': `q=${'v'.repeat(15_000)}`,
  'a long cursor': `cursor=${'c'.repeat(15_000)}`,
  '1,000 words': `q=${'w+'.repeat(90)}w`,
  'percent signs': '%'.repeat(10_000),
}
