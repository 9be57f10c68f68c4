import { createElement, lazy, Suspense, type ComponentType } from 'react';

const NotLoaded = () => (
  <p role="alert">This part of the page did not arrive. Reload the page to try again.</p>
);

/** A part whose file comes when it is first shown. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Part = lazy(() =>
    load()
      .catch((): ComponentType<Props> => NotLoaded)
      .then((part) => ({ default: part })),
  ) as unknown as ComponentType<Props>;
  return function LazyPart(props: Props) {
    return <Suspense fallback={null}>{createElement(Part, props)}</Suspense>;
  };
}
