import { createContext, useContext } from 'react';

/**
 * The scene of the page as SVG. It never changes, so the browser keeps the one that was prerendered
 * instead of downloading the code that draws it: five of those would weigh as much as the form does.
 */
export const SceneContext = createContext('');

export function PageScene() {
  const svg = useContext(SceneContext);
  return <div className="scene" dangerouslySetInnerHTML={{ __html: svg }} />;
}
