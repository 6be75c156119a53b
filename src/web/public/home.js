// Inserts the server's URL into the commands of the page, and copies them to the clipboard.

for (const place of document.querySelectorAll('[data-origin]')) place.textContent = location.origin

const copyStatus = document.querySelector('.copy-status')
for (const button of document.querySelectorAll('[data-copies]')) {
  const source = document.getElementById(button.dataset.copies)
  button.setAttribute('aria-label', `Copy: ${source.getAttribute('aria-label')}`)
  button.hidden = false
  button.addEventListener('click', async () => {
    const isCopied = await copied(source)
    button.textContent = isCopied ? 'Copied' : 'Press Ctrl+C'
    copyStatus.textContent = isCopied ? 'Copied to the clipboard' : 'The command is selected: press Ctrl+C to copy it'
    setTimeout(() => {
      button.textContent = 'Copy'
      copyStatus.textContent = ''
    }, 4000)
  })
}

// The Clipboard API requires a secure context; on plain HTTP in a local network the text is selected instead.
async function copied(source) {
  try {
    await navigator.clipboard.writeText(source.textContent)
    return true
  } catch {
    getSelection().selectAllChildren(source)
    return document.execCommand('copy')
  }
}
