import { useRef } from 'react';
import { copyText } from '../../lib/copyText';
import { useBriefly } from '../../lib/useBriefly';

const COPIED_MS = 2_000;
const GROUP = 8;

interface Props {
  /** What it is the hash of, for people who hear the button. */
  name: string;
  hex: string;
}

/** 32 bytes as people compare them: in groups, which are not copied. */
export function Hash({ name, hex }: Props) {
  const code = useRef<HTMLElement>(null);
  const [said, say] = useBriefly<'Copied' | 'Select it to copy'>(COPIED_MS);

  async function copy() {
    if (!code.current) return;
    say((await copyText(hex, code.current)) ? 'Copied' : 'Select it to copy');
  }

  return (
    <span className="hash">
      <code ref={code}>
        {Array.from({ length: Math.ceil(hex.length / GROUP) }, (_, group) => (
          <span key={group}>{hex.slice(group * GROUP, (group + 1) * GROUP)}</span>
        ))}
      </code>
      <button type="button" className="button quiet" onClick={() => void copy()}>
        {said ?? 'Copy'} <span className="unseen">{name}</span>
      </button>
      <span role="status" className="unseen">
        {said}
      </span>
    </span>
  );
}
