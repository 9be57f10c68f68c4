import { createContext, useContext } from 'react';
import type { ThemeKey } from '../../themes/types';

/**
 * The scene of the page as SVG. It never changes, so the browser keeps the one that was prerendered
 * instead of downloading the code that draws it: five of those would weigh as much as the form does.
 */
export const SceneContext = createContext('');

interface Props {
  /** Whose colors the scene has, on a page that has others. */
  raffle?: ThemeKey;
}

export function PageScene({ raffle }: Props) {
  const svg = useContext(SceneContext);
  return <div className="scene" data-theme={raffle} dangerouslySetInnerHTML={{ __html: svg }} />;
}
