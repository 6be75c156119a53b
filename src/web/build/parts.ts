// Modules that are bundled together, because a screen that needs one of them usually needs the others. One large file compresses better than
// twenty small ones, and arrives sooner. The bundler divides all other modules among the screens that share them.

import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

const components = (names: string) => `@mantine/core/esm/components/(${names})/`
const any = (...patterns: string[]) => new RegExp(patterns.join('|'))

/** The icons that the places have in the rail, by their names in the package. */
function iconsOfPlaces(): string[] {
  const folder = path.join(import.meta.dirname, '..')
  return globSync('*/route.tsx', { cwd: folder })
    .toSorted()
    .flatMap(file => {
      const [, names = ''] = /import \{([^}]*)\} from '@tabler\/icons-react'/.exec(readFileSync(path.join(folder, file), 'utf8')) ?? []
      return names.match(/\bIcon\w+/g) ?? []
    })
}

/** Patterns of the modules in each part. A part may import the parts above it; `npm run sizes` fails when two parts import each other. */
export const parts = {
  // Every page.
  base: any(
    'node_modules/(react|react-dom|scheduler|use-sync-external-store|clsx|get-nonce)/',
    'node_modules/@tabler/icons-react/dist/esm/(createReactComponent|defaultAttributes)',
    'node_modules/@mantine/core/esm/core/',
    `node_modules/${components('ActionIcon|Alert|Anchor|Button|Center|CloseButton|ColorSwatch|Divider|Group|Input|InputBase|Loader|Paper|Stack|Text|TextInput|Title|Transition|UnstyledButton|VisuallyHidden')}`,
    'node_modules/@mantine/hooks/esm/(use-color-scheme|use-did-update|use-document-title|use-isomorphic-effect|use-merged-ref|use-uncontrolled|use-id|use-media-query|use-reduced-motion|utils)/',
    'vite/preload-helper',
  ),
  // Shared by the app and the pages before the sign-in.
  start: any(
    'src/web/(app/(loaded|nonce|palette|theme|pages|screen-error)|address/go)\\.tsx?',
    'src/web/(app/icon\\.svg|session/gate\\.module)',
    'src/web/language/(language|order|en/(errors|shared/start))\\.ts',
    'src/web/data/(ask|failure|sentences|new-id|stored|transport)\\.ts',
    'src/web/generated/(schema|documents/session)\\.ts',
    `node_modules/${components('Skeleton')}`,
    'node_modules/@tabler/icons-react/dist/esm/icons/Icon(AlertTriangle|CloudOff)\\.',
    'src/web/(keyboard/(announce|composing|highlighted|whole-value)|pieces/states/(failure-alert|late-skeleton)|session/(caller|drafts|gate|organizations|sign-in|sign-out))\\.tsx?',
  ),
  // The app: its routes, and nothing of its screens.
  app: any(
    'node_modules/@tanstack/(history|router-core|react-router|store|react-store)/',
    'src/web/(app/root-route|address/(day-range|dropped|params|search))\\.tsx?',
    'src/web/contacts/filters/(custom|search)\\.ts',
    'src/web/(pieces/(links|states/not-found)|session/preferences|language/(characters|zone|en/frame))\\.tsx?',
    `node_modules/@tabler/icons-react/dist/esm/icons/(${iconsOfPlaces().join('|')})\\.`,
    'src/web/(.*/route\\.tsx|generated/places\\.ts)',
  ),
  // Every screen behind the sign-in.
  work: any(
    'node_modules/(urql|wonka|@urql/core|@0no-co/graphql\\.web)/',
    `node_modules/${components('Avatar|Table')}`,
    'node_modules/@mantine/hooks/esm/(use-debounced-callback|use-disclosure|use-hotkeys|use-window-event)/',
    'node_modules/@mantine/(store/|notifications/esm/notifications\\.store|modals/esm/events)',
    'node_modules/@tabler/icons-react/dist/esm/icons/Icon(ArrowDown|ArrowUp|ChevronDown|Code|Dots|ExternalLink|FilterOff|Plus|Refresh|Search|X)\\.',
    'src/web/address/dropped-filters\\.tsx',
    'src/web/contact-record/fields/(choices|field-value|fields|stage|web-link)\\.tsx?',
    'src/web/generated/documents/contact-record-fields\\.ts',
    'src/web/(data|keyboard)/(?!cache|client|shortcut-list|keys)',
    'src/web/live/(change|connectivity)\\.ts',
    'src/web/frame/(header|nav-item|nav-link-to|once-open|floating/use-back)\\.',
    'src/web/pieces/(confirm|states/(empty|error-notice)|money|opens-later|status|time|notices/(refusal|undo))\\.tsx?',
    'src/web/(pieces/status\\.module|session/(use-me|use-preferences)|table/table\\.module|language/(format|number|values|en/(contacts|fields|people|shared/pieces|values))\\.ts)',
  ),
  // Edits a field in its place: nobody does before the first rows.
  editors: any(
    'src/web/contact-record/fields/(contact-editor|field-editor|use-field-edit)\\.tsx?',
    'src/web/table/(editors|use-ending)\\.tsx?',
  ),
  // The lists.
  lists: any(
    'node_modules/@tanstack/(virtual-core|react-virtual)/',
    'node_modules/@tabler/icons-react/dist/esm/icons/Icon(Columns3)\\.',
    'src/web/saved-views/later\\.ts',
    'src/web/table/(?!phone|grid/list-keys|export-button|menus/export-choices|menus/sort-menu|select-editor|option-letters|menus/columns-popover|menus/sort-items|editors|use-ending|table\\.module)',
  ),
  // Saved views, without their menus and forms.
  views: any('src/web/(saved-views/(menu|use-views|view)|language/en/views/title)\\.tsx?'),
  // Deals without their forms and filters, which need floating elements.
  deals: any(
    'src/web/(deal-board/arrange|deal-record/(move-deal|use-moving))\\.tsx?',
    'src/web/generated/documents/deal-(board|record)\\.ts',
    'src/web/language/en/deals/',
  ),
  // Floating elements: none is visible before somebody opens one.
  floating: any(
    'node_modules/@floating-ui/',
    `node_modules/${components('FloatingArrow|FocusTrap|Menu|Overlay|Popover|Portal|ScrollArea|Tooltip')}`,
    'node_modules/@mantine/core/esm/utils/Floating/',
    'node_modules/@mantine/hooks/esm/(use-click-outside|use-focus-return|use-focus-trap|use-long-press)/',
  ),
} as const satisfies Record<string, RegExp>
