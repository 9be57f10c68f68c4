import type { ReactNode } from 'react';

interface Props {
  /** Who wrote it. */
  title: ReactNode;
  text: string;
}

/** What somebody wrote, with its line breaks. */
export function Quote({ title, text }: Props) {
  return (
    <figure className="quote">
      <figcaption>{title}</figcaption>
      <blockquote>{text}</blockquote>
    </figure>
  );
}
