import { createElement, lazy, Suspense, type ComponentType } from 'react';
import { asApiError } from '../../../shared/api/apiError';

/** A part whose file comes when it is first shown. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Part = lazy(() =>
    load()
      .catch((thrown: unknown): ComponentType<Props> => () => (
        <p role="alert">{asApiError(thrown).sentence}</p>
      ))
      .then((part) => ({ default: part })),
  ) as unknown as ComponentType<Props>;
  return function LazyPart(props: Props) {
    return <Suspense fallback={null}>{createElement(Part, props)}</Suspense>;
  };
}
