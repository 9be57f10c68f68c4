/** docs/drawing.md, section 1.7. */
export type {
  LeafView as Leaf,
  OwnLeafView as OwnLeaf,
  ProofView as Proof,
  ProvenLeafView as Inclusion,
} from '../../../api/generatedDrawings';
