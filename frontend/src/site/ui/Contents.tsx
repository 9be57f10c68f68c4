interface Props {
  sections: { id: string; heading: string }[];
}

/** The sections of a long text: one line that opens on phones, a list beside the text on wide screens. */
export function Contents({ sections }: Props) {
  const list = (
    <ol>
      {sections.map(({ id, heading }) => (
        <li key={id}>
          <a href={`#${id}`}>{heading}</a>
        </li>
      ))}
    </ol>
  );
  return (
    <>
      <nav className="contents narrow" aria-label="Contents">
        <details>
          <summary>Contents</summary>
          {list}
        </details>
      </nav>
      <nav className="contents wide" aria-label="Contents">
        {list}
      </nav>
    </>
  );
}

/** `how-to-enter-free` for “How to enter free”. */
export const idOf = (heading: string): string =>
  heading.toLowerCase().match(/\w+/g)?.join('-') ?? heading;
