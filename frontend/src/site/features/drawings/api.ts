import type { DefinitionsFromApi, OverrideResultType } from '@reduxjs/toolkit/query/react';
import { asApiError } from '../../../shared/api/apiError';
import { api as generated, type PublicDrawingView } from '../../api/generatedDrawings';

export type { PublicDrawingView as Drawing, ProofView as Proof } from '../../api/generatedDrawings';

interface DrawingList {
  drawings: PublicDrawingView[];
  /** Of all pages: it travels beside the rows, as a header. */
  totalCount: number;
}

type Definitions = DefinitionsFromApi<typeof generated>;
type CountedDefinitions = Omit<Definitions, 'listDrawings'> & {
  listDrawings: OverrideResultType<Definitions['listDrawings'], DrawingList>;
};

export const {
  useGetCommitmentQuery,
  useListDrawingsQuery,
  useGetDrawingProofQuery,
  useGetOwnLeafQuery,
} = generated.enhanceEndpoints<never, CountedDefinitions>({
  endpoints: {
    listDrawings: {
      transformResponse: (drawings: PublicDrawingView[], response: Response | undefined) => ({
        drawings,
        totalCount: Number(response?.headers.get('X-Total-Count') ?? drawings.length),
      }),
    },
  },
});

export const proofPath = (id: number) => `/api/drawings/${id}/proof`;
export const entrantsPath = (id: number) => `/api/drawings/${id}/entrants`;

export const isNotFound = (error: unknown): boolean =>
  error !== undefined && asApiError(error).status === 404;
