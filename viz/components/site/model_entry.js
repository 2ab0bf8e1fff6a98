// Entry of a lazily loaded module: the level with the whole model.

import { ModelPlan } from "./levels/model_plan.js";

export default ModelPlan;
