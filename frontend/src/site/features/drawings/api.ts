import type { DefinitionsFromApi, OverrideResultType } from '@reduxjs/toolkit/query/react';
import { asApiError } from '../../../shared/api/apiError';
import { api as generated, type PublicDrawingView } from '../../api/generatedDrawings';
import type { Proof, OwnLeaf } from './verification/proof';

export type {
  ClaimRecordView as Claim,
  PublicDrawingView as Drawing,
} from '../../api/generatedDrawings';

export interface DrawingList {
  drawings: PublicDrawingView[];
  /** Of all pages: it travels beside the rows, as a header. */
  totalCount: number;
}

type Definitions = DefinitionsFromApi<typeof generated>;
type Overridden = 'listDrawings' | 'getDrawingProof' | 'getOwnLeaf';
type CountedDefinitions = Omit<Definitions, Overridden> & {
  listDrawings: OverrideResultType<Definitions['listDrawings'], DrawingList>;
  getDrawingProof: OverrideResultType<Definitions['getDrawingProof'], Proof>;
  getOwnLeaf: OverrideResultType<Definitions['getOwnLeaf'], OwnLeaf>;
};

export const {
  useListDrawingsQuery,
  useGetPublicDrawingQuery,
  useGetDrawingProofQuery,
  useGetOwnLeafQuery,
  useBringRoundMutation,
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

export { entrantsPath, proofPath, versionPath } from './paths';

export const isNotFound = (error: unknown): boolean =>
  error !== undefined && asApiError(error).status === 404;
