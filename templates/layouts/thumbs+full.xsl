<?xml version="1.0" encoding="UTF-8"?>
<!-- thumbs+full: the cards of thumbs, then every picture large under one heading. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:import href="thumbs.xsl"/>

  <xsl:template name="memos">
    <xsl:apply-templates select="memo | sheet"/>
    <xsl:if test=".//photo">
      <xsl:call-template name="gap"/>
      <xsl:call-template name="rule"/>
      <xsl:apply-templates select="words/@photos"/>
      <xsl:for-each select=".//photo">
        <xsl:apply-templates select="." mode="large"/>
        <xsl:apply-templates select="@caption"/>
        <xsl:if test="position() != last()"><xsl:call-template name="gap"/></xsl:if>
      </xsl:for-each>
    </xsl:if>
  </xsl:template>

  <!-- What went wrong is said under the large picture. -->
  <xsl:template match="@notice" mode="seen"/>

  <!-- It comes below, so its card only names it, and a sheet not even that. -->
  <xsl:template match="photo" mode="unseen">
    <div xsl:use-attribute-sets="notice"><xsl:value-of select="@name"/></div>
  </xsl:template>
  <xsl:template match="photo" mode="attached">
    <xsl:if test="not(../@names)"><xsl:apply-templates select="." mode="unseen"/></xsl:if>
  </xsl:template>
  <xsl:template match="sheet/memo/photo" mode="attached"/>
</xsl:stylesheet>
