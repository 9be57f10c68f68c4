import { useCallback, useEffect, useState, type ComponentType } from 'react';
import { ErrorState, Loading } from './states';

/**
 * A screen in a file of its own. Not React.lazy: a file that does not arrive must not take the console
 * down, and can be loaded again.
 */
export function loadable(load: () => Promise<ComponentType>): ComponentType {
  let loaded: ComponentType | undefined; // arrived once, shown at once ever after

  return function Loadable() {
    const [Screen, setScreen] = useState(() => loaded);
    const [error, setError] = useState<unknown>();

    const fetchFile = useCallback(() => {
      setError(undefined);
      load().then(
        (file) => {
          loaded = file;
          setScreen(() => file);
        },
        (thrown: unknown) => setError(thrown),
      );
    }, []);

    useEffect(() => {
      if (!loaded) fetchFile();
    }, [fetchFile]);

    if (Screen) return <Screen />;
    if (error !== undefined) return <ErrorState error={error} onRetry={fetchFile} />;
    return <Loading />;
  };
}
