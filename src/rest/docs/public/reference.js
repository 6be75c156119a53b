// A Swagger UI plugin: one labelled field for each credential, a dialog that traps focus, no links inside buttons, and no server menu,
// because there is only one server.

const labels = {
  api_key: ['API key', 'rcm_...'],
  session: ['Session token', 'a UUID'],
  guest: ['Guest id', 'a name of your choice'],
  provider_session: ["Identity provider's session", 'from /idp/sign-in/email'],
  identity: ["Identity provider's token", 'a JWT'],
}

export function reference({ React }) {
  const h = React.createElement

  function Credential({ name, schema, authorized, onAuthChange, getComponent }) {
    const [value, setValue] = React.useState('')
    const Markdown = getComponent('Markdown', true)
    const [label, placeholder] = labels[name] ?? [name, '']
    const isHeld = authorized?.has(name)
    const id = `credential-${name}`
    const change = event => {
      setValue(event.target.value)
      // Users paste the whole header value.
      onAuthChange({ name, schema, value: event.target.value.trim().replace(/^Bearer +/i, '') })
    }
    const header = schema.get('type') === 'http' ? 'Authorization: Bearer' : schema.get('name')
    return h(
      'div',
      { className: 'credential' },
      h('label', { htmlFor: id }, label, ' ', h('code', null, header)),
      isHeld
        ? h('p', { id, className: 'held' }, 'Sent with every request from this page.')
        : h('input', {
            id,
            type: 'text',
            value,
            placeholder,
            autoComplete: 'off',
            spellCheck: false,
            'aria-describedby': `${id}-about`,
            onChange: change,
          }),
      h('div', { id: `${id}-about`, className: 'about' }, h(Markdown, { source: schema.get('description') })),
    )
  }

  const dialog = Original =>
    function Dialog(props) {
      const inside = React.useRef(null)
      React.useEffect(() => {
        const opener = document.activeElement
        const box = inside.current.querySelector('.modal-ux')
        box.setAttribute('role', 'dialog')
        box.setAttribute('aria-modal', 'true')
        box.setAttribute('aria-label', 'Authorize')
        box.querySelector('.modal-ux-header h3').textContent = 'Who you are'
        box.querySelector('.close-modal').setAttribute('aria-label', 'Close')
        box.querySelector('.modal-ux-content').scrollTop = 0
        box.querySelector('input, .btn')?.focus()
        return () => opener?.focus?.()
      }, [])
      const trapFocus = event => {
        if (event.key !== 'Tab') return
        const stops = [...inside.current.querySelectorAll('input, button, a[href]')]
        const [first, last] = [stops[0], stops.at(-1)]
        if (document.activeElement !== (event.shiftKey ? first : last)) return
        event.preventDefault()
        const next = event.shiftKey ? last : first
        next.focus()
      }
      return h('div', { ref: inside, onKeyDown: trapFocus }, h(Original, props))
    }

  return {
    wrapComponents: {
      AuthItem: () => Credential,
      authorizationPopup: dialog,
      // The accessible name of a button must be its visible text, so that voice control works.
      Button: Original => props => h(Original, { ...props, 'aria-label': undefined }),
      // Without its link: an operation's heading is a button already, and interactive elements must not be nested.
      DeepLink: () => props => h('span', { className: 'nostyle' }, props.text),
      ServersContainer: () => () => null,
      FilterContainer: Original => props => h('div', { role: 'search', 'aria-label': 'Operations' }, h(Original, props)),
    },
  }
}
