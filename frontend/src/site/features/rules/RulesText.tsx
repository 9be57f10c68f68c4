import { Fragment } from 'react';
import { Contents, idOf } from '../../ui/Contents';

const SECTION = '\n\n## ';

/** The text of a version: blocks that an empty line separates, with `#`, `##` and `-` as in the description of the API. */
export function RulesText({ text, more = [] }: { text: string; more?: Section[] }) {
  const [intro = '', ...sections] = text.split(SECTION);
  const headings = sections.map((section) => section.split('\n', 1)[0] ?? '');
  return (
    <>
      <div>
        <Blocks text={intro} />
      </div>
      <Contents
        sections={[...headings.map((heading) => ({ id: idOf(heading), heading })), ...more]}
      />
      <div>
        <Blocks text={sections.map((section) => SECTION + section).join('')} />
      </div>
    </>
  );
}

interface Section {
  id: string;
  heading: string;
}

export function Blocks({ text }: { text: string }) {
  const blocks = text
    .trim()
    .split(/\n{2,}/)
    .filter((block) => block.trim() !== '');
  return blocks.map((block, index) => <Block key={index} block={block} />);
}

function Block({ block }: { block: string }) {
  if (block.startsWith('# ')) return <h1 tabIndex={-1}>{block.slice(2)}</h1>;
  if (block.startsWith('## ')) return <h2 id={idOf(block.slice(3))}>{block.slice(3)}</h2>;
  if (!block.startsWith('- ')) {
    return (
      <p>
        <Words text={block} />
      </p>
    );
  }
  return (
    <ul>
      {block.split('\n').map((line, index) => (
        <li key={index}>
          <Words text={line.replace(/^- /, '')} />
        </li>
      ))}
    </ul>
  );
}

/** A page of this site in parentheses: `(/contact)`. */
const page = /\((\/\w[\w/#-]*)\)/;

function Words({ text }: { text: string }) {
  return text.split(page).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <Fragment key={index}>
        (<a href={part}>{part}</a>)
      </Fragment>
    ),
  );
}
