/** No line of a list comes near it: what is longer is no list, and is not gathered in memory. */
const LONGEST_LINE = 1_000;

/** The lines of a text as they arrive, some at a time. Each must be ended by a line feed. */
export async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string[]> {
  const reader = stream.getReader();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const lines = (rest + decoder.decode(value, { stream: !done })).split('\n');
      rest = lines.pop() ?? '';
      yield lines;
      if (rest.length > LONGEST_LINE || (done && rest)) {
        yield [`${rest.slice(0, LONGEST_LINE)}…`]; // of no list: whoever reads it says so
        return;
      }
      if (done) return;
    }
  } finally {
    await reader.cancel();
  }
}
