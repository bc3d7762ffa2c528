"""Run by pvpython: opens an XDMF file with ParaView's reader and prints, as JSON, its times and what the
blocks of some of them hold.

  pvpython paraview_reads.py FILE.xdmf K...     K: places among the times
"""
import json
import sys

from paraview import servermanager
from paraview.simple import ExtractSurface, Tube, XDMFReader
from vtkmodules.util.numpy_support import vtk_to_numpy


def blocks(data):
    """name: points, cells, point data"""
    found = {}
    for i in range(data.GetNumberOfBlocks()):
        block = data.GetBlock(i)
        if block is None:
            continue
        # Readers number blocks of a name that they have seen before: "rods[3]".
        name = data.GetMetaData(i).Get(data.NAME()).split("[")[0]
        fields = block.GetPointData()
        arrays = {fields.GetArrayName(k): vtk_to_numpy(fields.GetArray(k)).tolist()
                  for k in range(fields.GetNumberOfArrays())}
        cells = [block.GetCell(k) for k in range(block.GetNumberOfCells())]
        found[name] = {"points": vtk_to_numpy(block.GetPoints().GetData()).tolist(),
                       "kinds": sorted({cell.GetClassName() for cell in cells}),
                       "cells": len(cells), "arrays": arrays}
    return found


reader = XDMFReader(FileNames=[sys.argv[1]])
reader.UpdatePipelineInformation()
times = list(reader.TimestepValues)
shown = []
for k in map(int, sys.argv[2:]):
    reader.UpdatePipeline(times[k])
    shown.append({"time": times[k], "blocks": blocks(servermanager.Fetch(reader))})
tube = Tube(Input=ExtractSurface(Input=reader), Radius=0.01)
tube.UpdatePipeline(times[-1])
thick = tube.GetDataInformation().GetNumberOfPoints()
print("JSON" + json.dumps({"times": times, "shown": shown, "tube": thick}))
