import { createContext, useContext } from 'react';

/**
 * The scene of the page as SVG. It never changes, so the browser keeps the one that the server sent
 * instead of downloading the code that draws it: all of them would weigh more than the form does.
 */
export const SceneContext = createContext('');

interface Props {
  /** The colors of the scene, on a page that has others. */
  palette?: string;
}

export function PageScene({ palette }: Props) {
  const svg = useContext(SceneContext);
  return <div className="scene" data-palette={palette} dangerouslySetInnerHTML={{ __html: svg }} />;
}
