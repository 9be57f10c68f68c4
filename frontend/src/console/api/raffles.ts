/** Staff's calls about what raffles say, under the names that the section Raffles has for them. */
import type {
  ContentView,
  RaffleDraftView,
  RaffleFileView,
  RaffleVersionView,
} from './generatedAdmin';

export type { RaffleCardView as RaffleCard, RaffleView } from './generatedAdmin';
export type Content = ContentView;
export type DraftView = RaffleDraftView;
export type RaffleFile = RaffleFileView;
export type VersionView = RaffleVersionView;

export {
  useCopyRaffleMutation,
  useCreateRaffleMutation,
  useDeleteRaffleMutation,
  useGetRaffleQuery,
  useListRafflesQuery,
  useOrderRafflesMutation,
  usePublishRaffleMutation,
  useSaveRaffleDraftMutation,
} from './admin';
