// Puts this server's address into the commands, as the browser knows it, and copies them.

for (const place of document.querySelectorAll('[data-origin]')) place.textContent = location.origin

const heard = document.querySelector('.heard')
for (const button of document.querySelectorAll('[data-copies]')) {
  const source = document.getElementById(button.dataset.copies)
  button.setAttribute('aria-label', `Copy: ${source.getAttribute('aria-label')}`)
  button.hidden = false
  button.addEventListener('click', async () => {
    const isCopied = await copied(source)
    button.textContent = isCopied ? 'Copied' : 'Press Ctrl+C'
    heard.textContent = isCopied ? 'Copied to the clipboard' : 'The command is selected: press Ctrl+C to copy it'
    setTimeout(() => {
      button.textContent = 'Copy'
      heard.textContent = ''
    }, 4000)
  })
}

// Browsers give the clipboard to secure pages only, and a server on the local network is none: there the text is selected.
async function copied(source) {
  try {
    await navigator.clipboard.writeText(source.textContent)
    return true
  } catch {
    getSelection().selectAllChildren(source)
    return document.execCommand('copy')
  }
}
