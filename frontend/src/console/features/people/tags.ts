/** The tags in a line that staff typed, as the server stores them: in lower case, each one once. */
export function tagsIn(line: string): string[] {
  const tags = line.split(',').map((tag) => tag.trim().toLowerCase());
  return [...new Set(tags.filter(Boolean))];
}
