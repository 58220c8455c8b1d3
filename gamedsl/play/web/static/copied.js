// What is copied by a button.

/** Copies the text of a field, which is selected: of a page without a secure origin some browsers copy nothing else. */
export async function copyFrom(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    document.execCommand("copy"); // a page from a file may not use the clipboard otherwise
  }
}
